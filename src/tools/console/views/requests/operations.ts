import { useEffect, useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'

export interface Operation {
  operation: string
  method: string
  path: string
  summary: string
}

type Described = Record<string, { 'x-operation'?: number; operationId: string; summary?: string }>

/** SOAP operations are described by WSDL, so the OpenAPI descriptions do not contain them. */
const soap: readonly Operation[] = [
  { operation: 'createServiceToken', method: 'POST', path: '/iap/*', summary: 'Create a service token' },
  { operation: 'getSubscriptionStatus', method: 'POST', path: '/iap/*', summary: 'Get the subscription status' },
]

let known: Promise<readonly Operation[]> | undefined

export function useOperations(): readonly Operation[] {
  const [operations, setOperations] = useState<readonly Operation[]>([])
  useEffect(() => {
    known ??= load()
    known.then(setOperations, () => {
      known = undefined
    })
  }, [])
  return operations
}

export function toChoices(operations: readonly Operation[]): [value: string, label: string][] {
  return operations.map(({ operation, summary }) => [operation, `${operation}: ${summary}`])
}

async function load(): Promise<readonly Operation[]> {
  const documents = await Promise.all(
    ['support', 'events', 'wallet'].map(async (name) => {
      const reply = await api.fetch(`/openapi/${name}.json`)
      return (await reply.json()) as { paths: Record<string, Described> }
    }),
  )
  const described = documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { 'x-operation': number, operationId, summary }]) => ({
        operation: String(number ?? operationId),
        method: method.toUpperCase(),
        path: path.replace(/\{[^}]+\}/g, '*'),
        summary: summary ?? operationId,
      })),
    ),
  )
  return [...described.sort((a, b) => (Number(a.operation) || 1000) - (Number(b.operation) || 1000)), ...soap]
}
