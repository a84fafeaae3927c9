import * as z from 'zod'
import { showCall, toCall } from '../calls/call.ts'
import { send } from '../calls/outcome.ts'
import { ToolError } from '../errors.ts'
import { explainEntry } from '../explain/explain.ts'
import { byRule, reasonsOfOutcome } from '../explain/reasons.ts'
import { anything, entryId, operation, upTo } from '../fields.ts'
import { defineTool, reading } from '../tool.ts'

const shownCall = z.looseObject({ method: z.string(), path: z.string() })
const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

export const callTool = defineTool({
  name: 'call',
  title: 'Call the vendor',
  description:
    "Make a vendor's call as a client would. The reply comes with its journal entry; a refusal with the rule behind it " +
    '(then use explain). Operation `stream` is read for `forMs`.',
  output: {
    status: z.number(),
    entry: z.number().optional(),
    request: shownCall,
    body: z.unknown().optional(),
    why: z.array(z.looseObject({ message: z.string(), source: z.string() })).optional(),
  },
  destructive: true,
  actions: {
    // Read-only mode offers the tool, and it then makes calls that read.
    call: reading(
      {
        operation: operation.describe('1 to 41 or a name (resource operations)'),
        as: z.string().max(200).describe('Caller or token of people; "none": nobody; default: one who may').optional(),
        params: texts.optional(),
        query: anything.optional(),
        headers: texts.describe('"" leaves one out').optional(),
        body: z.unknown().describe('JSON; of SOAP its inputs').optional(),
        forMs: upTo(20_000).optional(),
      },
      async (world, { forMs, ...input }, { readOnly }) => {
        const call = toCall(input)
        const { operation } = call
        // Opening a stream ends the one that its user has open, so it counts as a change.
        const isGet = ['GET', 'HEAD'].includes(call.method) && operation?.operation !== 'stream'
        if (readOnly && !isGet && operation?.soap !== 'getSubscriptionStatus') {
          const name = operation?.operation
          throw new ToolError(`operation ${name} may change something, and only reads are allowed (--read-only)`)
        }
        const outcome = await send(world, call, forMs)
        const reasons = reasonsOfOutcome(outcome)
        const { status, headers, entry } = outcome
        const body = reasons ? withoutFindings(outcome.body) : outcome.body
        // An agent knows the body that it has given.
        const { body: sent, ...request } = showCall(call)
        const { date: _, connection: __, 'keep-alive': ___, ...shown } = headers
        return {
          status,
          headers: shown,
          body,
          request: { ...request, ...(input.body === undefined && sent !== undefined && { body: sent }) },
          ...(entry && { entry: entry.id }),
          ...(entry?.ignored && { ignored: entry.ignored }),
          ...(reasons && { why: byRule(reasons) }),
        }
      },
    ),
  },
})

/** `why` has the same findings, which an error's message repeats. */
function withoutFindings(body: unknown): unknown {
  const { error, ...others } = Object(body) as { error?: unknown }
  if (!Array.isArray(Object(error).details)) return body
  const { details: _, message: __, ...said } = error as Record<string, unknown>
  return { ...others, error: said }
}

export const explainTool = defineTool({
  name: 'explain',
  title: 'Explain an error',
  description:
    'Why a call was rejected. `entry` is its ID in the journal. Returns each rule with its sentence, the field and the ' +
    "message, and the operation's example: where the error names fields, with the call's own values in all others.",
  output: {
    refused: z.boolean(),
    reasons: z.array(z.looseObject({ message: z.string(), source: z.string(), sentence: z.string().optional() })),
    call: shownCall,
    needs: z.string().optional(),
    example: shownCall.optional(),
  },
  actions: {
    explain: reading({ entry: entryId }, (world, { entry }) => explainEntry(world, entry), { id: 'entry' }),
  },
})
