import type { JournalEntry } from '#tools/client/types.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { type Call, showCall, type DisplayedCall, toCall } from '../calls/call.ts'
import { readEntry, toCallOf } from '../calls/entry-call.ts'
import type { VendorOperation } from '../calls/operations.ts'
import { ToolError, toToolError } from '../errors.ts'
import { type Reason, reasonsOf } from './reasons.ts'

export interface Explanation {
  refused: boolean
  status?: number
  caller?: string
  reasons: Reason[]
  /** As in the journal: names and values of the request that had no effect or another effect. */
  ignored?: JournalEntry['ignored']
  call: DisplayedCall
  /** Describes a value that the client must first read with another request. If set, `example` is undefined. */
  needs?: string
  /** A request for the same operation that succeeds in a world with the default fixtures. */
  example?: DisplayedCall
}

export async function explainEntry(world: WorldClient, id: number): Promise<Explanation> {
  const entry = await readEntry(world, id)
  if (entry.kind === 'frame') throw new ToolError(`entry ${id} is a stream frame, not a request`)
  const call = toCallOf(entry)
  const { operation } = call
  const reasons = reasonsOf(entry)
  const refused = reasons.length > 0 && !entry.processed
  const explanation = {
    refused,
    ...(entry.status !== undefined && { status: entry.status }),
    ...(entry.caller !== undefined && { caller: entry.caller }),
    reasons,
    ...(entry.ignored && { ignored: entry.ignored }),
    call: showCall(call),
  }
  if (!refused || !operation) return explanation
  const { needs } = operation.contract.example ?? {}
  if (needs !== undefined) return { ...explanation, needs: toToolError(needs) }
  if (reasons.some(({ code }) => code === 'ConflictError')) return { ...explanation, needs: OTHER_STATE }
  const example = await fillExample(world, operation)
  const targets = entry.status === 400 ? reasons.flatMap(({ target }) => target ?? []) : []
  const ignored = entry.ignored?.map(({ name }) => name)
  const isOwn = targets.length > 0 && (isCallerOf(example, call) || !targets.some((target) => OWNED.test(target)))
  const repaired = isOwn ? withOwnValues(example, call, targets, ignored) : example
  const shown = showCall(repaired)
  // The example adds a header that is missing or invalid.
  const needsHeader = targets.some((target) => target.startsWith('header.'))
  const isRejected = entry.status === 400 && !needsHeader && valuesOf(shown) === valuesOf(explanation.call)
  return { ...explanation, ...(isRejected ? { needs: OTHER_VALUES } : { example: shown }) }
}

const OTHER_STATE = 'other values, because the request conflicts with a record of the world'
const OTHER_VALUES = 'other values: the example of this operation is the rejected request itself'

/** Fields whose value in the example belongs to the caller of the example. */
const OWNED = /\.(?:srid|bpNo|id|customerId|serial)$/

const isCallerOf = (example: Call, { headers }: Call) =>
  example.headers['vendorus-profid'] === headers['vendorus-profid']

const valuesOf = ({ path, body }: DisplayedCall) => JSON.stringify([path, body])

/** The OpenAPI description of a world contains an example body with slots that are free in that world. */
async function fillExample(world: WorldClient, operation: VendorOperation): Promise<Call> {
  const { needs: _, body, ...parts } = operation.contract.example ?? {}
  // An example of a form contains a boundary, whereas a call contains the file in base64.
  const sent = operation.contract.form ? { headers: { ...parts.headers, 'content-type': '' } } : { body }
  const call = toCall({ operation: operation.operation, ...parts, ...sent })
  if (!JSON.stringify(call.body ?? '').includes('{{')) return call
  const { paths } = (await (await world.fetch('/openapi/support.json')).json()) as Described
  const path = operation.path.replace(/:(\w+)/g, '{$1}')
  const media = paths[path]?.[operation.method.toLowerCase()]?.requestBody?.content['application/json']
  return { ...call, body: media?.example ?? call.body }
}

interface Described {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } }>>
}

/** Redacted values and the values that the error rejects keep those of the example. Ignored names are omitted. */
function withOwnValues(example: Call, own: Call, targets: readonly string[], ignored: readonly string[] = []): Call {
  const isNamed = (field: string) =>
    targets.some((target) => target === field || target.startsWith(`${field}.`) || target.startsWith(`${field}[`))
  const pick = <T>(part: string, values: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(values).filter(
        ([name, value]) =>
          !isNamed(`${part}.${name}`) &&
          !ignored.includes(`${part}.${name}`) &&
          !/\{\{token:\d+\}\}/.test(JSON.stringify(value ?? '')),
      ),
    )
  return {
    ...example,
    params: { ...example.params, ...pick('path', own.params) },
    query: { ...example.query, ...pick('query', own.query) },
    headers: { ...example.headers, ...pick('header', own.headers) },
    body:
      isObject(example.body) && isObject(own.body) && !targets.includes('body')
        ? { ...example.body, ...pick('body', own.body) }
        : example.body,
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
