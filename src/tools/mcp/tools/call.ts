import * as z from 'zod'
import { cutBody } from '#contract/cut-body.ts'
import { assertCaller, showCall, toCall } from '../calls/call.ts'
import { send } from '../calls/outcome.ts'
import { ToolError } from '../errors.ts'
import { explainEntry } from '../explain/explain.ts'
import { byRule, reasonsOfOutcome } from '../explain/reasons.ts'
import { anything, entryId, operation, upTo } from '../fields.ts'
import { cut, defineTool, reading, shorten } from '../tool.ts'

const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

export const callTool = defineTool({
  name: 'call',
  title: 'Call the vendor',
  description:
    "Send a request of the vendor's APIs. Returns status, body, journal entry and violated rules. " +
    '`full`: do not shorten the body. `stream` is read for `forMs` milliseconds.',
  destructive: true,
  actions: {
    // Also available in read-only mode, but then sends only requests that do not change data.
    call: reading(
      {
        operation: operation.describe('1 to 41, or a name from the resource operations'),
        as: z
          .string()
          .max(200)
          .describe('Caller or token from the resource people, or "none". Default: a caller with access')
          .optional(),
        params: texts.optional(),
        query: anything.optional(),
        headers: texts.describe('"" removes a default header').optional(),
        body: z.unknown().describe('JSON, or SOAP inputs').optional(),
        full: z.boolean().optional(),
        forMs: upTo(20_000).optional(),
      },
      async (world, { forMs, full, ...input }, { readOnly }) => {
        const call = toCall(input)
        const { operation } = call
        if (operation && input.as !== undefined) await assertCaller(world, operation, input.as)
        // Opening a stream counts as a change, because it closes the previous stream of the same user.
        const isGet = ['GET', 'HEAD'].includes(call.method) && operation?.operation !== 'stream'
        if (readOnly && !isGet && operation?.soap !== 'getSubscriptionStatus') {
          const name = operation?.operation
          throw new ToolError(`--read-only does not allow operation ${name}, which may change data`)
        }
        const outcome = await send(world, call, forMs)
        const reasons = reasonsOfOutcome(outcome)
        const { status, headers, entry } = outcome
        // Omits the request body, because the agent already knows it.
        const { body: sent, ...request } = showCall(call)
        const result = {
          status,
          headers: withoutNoise(headers),
          request: { ...request, ...(input.body === undefined && sent !== undefined && { body: sent }) },
          ...(entry && { entry: entry.id }),
          ...(entry?.ignored && { ignored: entry.ignored }),
          ...(reasons && { why: byRule(reasons) }),
        }
        if (full) return { ...result, body: outcome.body }
        const { body } = outcome
        const shortBody = reasons ? withoutFindings(body) : body
        const omitted = shortBody !== body && { cut: `\`why\` replaces error.message and details: ${HOW_TO_GET_ALL}` }
        return fitBody({ ...shorten(result, LONGEST_PART), ...omitted }, shortBody)
      },
    ),
  },
})

/** Maximum number of characters in the result that is sent, and in each string of the result. */
const LONGEST_RESULT = 3800
const LONGEST_PART = 400

const HOW_TO_GET_ALL = 'call again with full: true'

function fitBody(result: object, body: unknown): object {
  // The result is sent as JSON inside a JSON string, so quotes are escaped twice.
  const fits = (value: object) => JSON.stringify(JSON.stringify(value)).length <= LONGEST_RESULT
  let fitted: object = { ...result, body }
  for (let length = LONGEST_RESULT; !fits(fitted) && length > 10; length = Math.floor(length * 0.8)) {
    fitted =
      typeof body === 'string'
        ? { ...result, body: cut(body, length, `; ${HOW_TO_GET_ALL}`) }
        : { ...result, body: cutBody(body, { left: length }), cut: `body is shortened: ${HOW_TO_GET_ALL}` }
  }
  return fitted
}

/** Headers that appear in every response and contain no information about the operation. */
const NOISE = /^(?:date|connection|keep-alive|vary|access-control-.*|content-length)$/

function withoutNoise(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOISE.test(name)))
}

/** Removes the findings and the message of an error, because `why` contains them. */
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
    'Explain why the request of `entry` was rejected: each violated rule with field and message, ' +
    'and an `example`. If the error names fields, it keeps your other values, which may be invalid too.',
  actions: {
    explain: reading({ entry: entryId }, (world, { entry }) => explainEntry(world, entry), { id: 'entry' }),
  },
})
