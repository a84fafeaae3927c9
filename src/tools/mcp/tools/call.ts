import { z } from 'zod'
import { showCall, toCall } from '../calls/call.ts'
import { withImage } from '../calls/image-form.ts'
import { send } from '../calls/outcome.ts'
import { ToolError } from '../errors.ts'
import { reasonsOfOutcome } from '../explain/reasons.ts'
import { callFields, count, shownCall } from '../fields.ts'
import { defineTool, shorten } from '../tool.ts'

export const callTool = defineTool({
  name: 'call',
  title: 'Call the vendor',
  description:
    "Make a vendor's call as a client would. The reply comes with its journal entry; a refusal with the rule behind it " +
    '(then use explain). Operation `stream` is read for `forMs`.',
  input: { ...callFields, forMs: count.max(20_000).optional() },
  output: {
    status: z.number(),
    entry: z.number().optional(),
    request: shownCall,
    body: z.unknown().optional(),
    why: z.array(z.looseObject({ message: z.string(), source: z.string() })).optional(),
  },
  reads: 'all',
  destructive: true,
  async run(world, { forMs, ...input }, { readOnly }) {
    const call = withImage(toCall(input))
    const { operation } = call
    // Opening a stream ends the one that its user has open, so it counts as a change.
    const isGet = ['GET', 'HEAD'].includes(call.method) && operation?.operation !== 'stream'
    const isRead = isGet || operation?.soap === 'getSubscriptionStatus'
    if (readOnly && !isRead) {
      throw new ToolError(
        `operation ${operation?.operation} may change something, and only reads are allowed (--read-only)`,
      )
    }
    const outcome = await send(world, call, { ...(forMs !== undefined && { forMs }) })
    const why = reasonsOfOutcome(outcome)
    const { status, headers, body, entry } = outcome
    const { date: _, connection: __, 'keep-alive': ___, ...told } = headers
    return {
      world: world.name,
      status,
      headers: told,
      ...(body !== undefined && { body: shorten(body) }),
      request: shorten(showCall(call)),
      ...(entry && { entry: entry.id }),
      ...(entry?.ignored && { ignored: entry.ignored }),
      ...(why && { why }),
    }
  },
})
