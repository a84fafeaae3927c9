import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import * as z from 'zod'

const value = z.union([
  z.strictObject({ stringValue: z.string() }).transform(({ stringValue }) => stringValue as unknown),
  z.strictObject({ intValue: z.int() }).transform(({ intValue }) => intValue as unknown),
  z
    .strictObject({ arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }) })
    .transform(({ arrayValue }) => arrayValue.values.map(({ stringValue }) => stringValue) as unknown),
])
const attributes = z
  .array(z.strictObject({ key: z.string(), value }))
  .transform((pairs) => Object.fromEntries(pairs.map((pair) => [pair.key, pair.value])))
const ids = { traceId: z.string().regex(/^[\da-f]{32}$/), spanId: z.string().regex(/^[\da-f]{16}$/) }
const span = z.object({
  ...ids,
  parentSpanId: ids.spanId.optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes,
  links: z.array(z.object(ids)),
  status: z.object({ code: z.int() }),
})
/** Accepts only the part of OTLP/JSON that the server sends. */
const batch = z.strictObject({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
})
export type SentSpan = z.output<typeof span>

/** Starts a collector, which validates batches unless `listener` handles the request, and closes it after the test. */
export async function startCollector(listener?: RequestListener) {
  const spans: SentSpan[] = []
  const resources: Record<string, unknown>[] = []
  const requests: { url: string | undefined; headers: NodeJS.Dict<string | string[]>; text: string }[] = []
  const server = createServer(async (request, reply) => {
    if (listener) return listener(request, reply)
    const { url, headers } = request
    const text = await readText(request)
    requests.push({ url, headers, text })
    for (const { resource, scopeSpans } of batch.parse(JSON.parse(text)).resourceSpans) {
      resources.push(resource.attributes)
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    }
    reply.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, spans, resources, requests }
}
