import { defineOperations, type OperationContract, type Operations } from '../operation.ts'
import { type ControlOperation, controlRoutes } from './routes.ts'

type Contract = Omit<OperationContract, 'route'>

type Routed<Contracts extends { readonly [Name in ControlOperation]?: Contract }> = {
  readonly [Name in keyof Contracts & ControlOperation]: NonNullable<Contracts[Name]> & {
    route: (typeof controlRoutes)[Name]
  }
}

export function defineControl<const Contracts extends { readonly [Name in ControlOperation]?: Contract }>(
  tag: string,
  contracts: Contracts & Readonly<Record<Exclude<keyof Contracts, ControlOperation>, never>>,
): Operations<'control', Routed<Contracts>> {
  const routed = Object.entries<Contract>(contracts).map(([name, contract]) => [
    name,
    { route: controlRoutes[name as ControlOperation], ...contract },
  ])
  return defineOperations(
    { scope: 'control', tag, awaitsProgress: true },
    Object.fromEntries(routed) as Routed<Contracts>,
  )
}
