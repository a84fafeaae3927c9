/** One request a row: what `npm run openapi` sends, in this order, to have true examples in the OpenAPI files. */
export interface ExampleRequest {
  operation: number | string
  method: string
  path: string
  parameters?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** What a client has to find out before it can send this. */
  needs?: string
  /** Raw payload, for bodies that are not JSON. */
  payload?: Buffer
}

/** What earlier replies brought: ids that later requests name. */
export type Known = ReadonlyMap<string, string>
