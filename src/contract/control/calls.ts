import type { z } from 'zod'
import type { controlOperations } from './operations.ts'
import type { ControlOperation, controlRoutes } from './routes.ts'

// Calls of the control API as its operations have them: types alone, for clients that load no schema.

type Contract<Name extends ControlOperation> = (typeof controlOperations)[Name]

export type Reply<Name extends ControlOperation> = z.output<Contract<Name>['reply']>

export type Body<Name extends ControlOperation> =
  Contract<Name> extends { body: infer Schema extends z.ZodType } ? z.input<Schema> : undefined

type Scalar = string | number | boolean

/** Every value is written as text. */
export type Query<Name extends ControlOperation> =
  Contract<Name> extends { query: infer Schema extends z.ZodType }
    ? { readonly [Field in keyof z.output<Schema>]?: Scalar | undefined }
    : undefined

/** Values of a path, in its order. */
export type Params<Name extends ControlOperation> = ParamsOf<(typeof controlRoutes)[Name]>

type ParamsOf<Route extends string> = Route extends `${string}:${string}/${infer Rest}`
  ? [Scalar, ...ParamsOf<`/${Rest}`>]
  : Route extends `${string}:${string}`
    ? [Scalar]
    : []

/** Each part that the operation has, and no other; a query is never needed. */
export type Input<Name extends ControlOperation> = { readonly query?: Query<Name> } & Part<'params', Params<Name>> &
  Part<'body', Body<Name>>

type Part<Name extends string, Value> = undefined extends Value
  ? { readonly [Key in Name]?: Value }
  : Value extends []
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value }
