import type * as z from 'zod'
import type { controlOperations } from './operations.ts'
import type { ControlOperation, controlRoutes } from './routes.ts'

type Contract<Name extends ControlOperation> = (typeof controlOperations)[Name]

export type Reply<Name extends ControlOperation> = z.output<Contract<Name>['reply']>

export type Body<Name extends ControlOperation> =
  Contract<Name> extends { body: infer Schema extends z.ZodType } ? z.input<Schema> : undefined

type Scalar = string | number | boolean

export type Query<Name extends ControlOperation> =
  Contract<Name> extends { query: infer Schema extends z.ZodType }
    ? { readonly [Field in keyof z.output<Schema>]?: Scalar | undefined }
    : undefined

export type Params<Name extends ControlOperation> = ParamsOf<(typeof controlRoutes)[Name]>

type ParamsOf<Route extends string> = Route extends `${string}:${string}/${infer Rest}`
  ? [Scalar, ...ParamsOf<`/${Rest}`>]
  : Route extends `${string}:${string}`
    ? [Scalar]
    : []

/** Has only the properties that the contract declares. The query is always optional. */
export type Input<Name extends ControlOperation> = { readonly query?: Query<Name> } & Part<'params', Params<Name>> &
  Part<'body', Body<Name>>

type Part<Name extends string, Value> = undefined extends Value
  ? { readonly [Key in Name]?: Value }
  : Value extends []
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value }
