import { type Ground, inWorld, sending, times } from './ground.ts'

const accept = { accept: 'application/json, text/event-stream' }

/** The tool `explain` may change a request and retry it up to forty times. */
export async function measureAgents(ground: Ground): Promise<void> {
  await inWorld(ground, 'agents', async (world) => {
    const { measure, send } = ground
    const ask = (what: string, name: string, input: object) => measure(what, () => askTool(send, world, name, input))
    // The first request loads the tools, which must not be measured.
    await askTool(send, world, 'explain', { operation: 8, body: {} })
    await ask('explain: a booking of nothing', 'explain', { operation: 8, body: {} })
    const symptoms = times(900, (i) => `symptom ${i}`)
    await ask('explain: 900 symptoms', 'explain', { operation: 33, body: { symptoms } })
    const values = times(90, (i) => `device ${i}`)
    const subscriptionFilters = times(100, () => ({ type: 'DEVICEIDS', value: values }))
    await ask('explain: 100 filters', 'explain', { operation: 'createSubscription', body: { subscriptionFilters } })
    const body = { bpNo: 'x'.repeat(900_000) }
    await ask('explain: a text of 900 KB', 'explain', { operation: 8, body })
    await ask('call: a text of 900 KB', 'call', { operation: 8, body })
    await ask('journal: 100 entries', 'journal', { limit: 100 })
    await ask('verify: nothing that fits', 'verify', { match: { path: '/iap/*' }, count: 1 })
    await ask('trigger_event: the outbox', 'trigger_event', {})
  })
}

/** A failing tool ends the benchmark. */
export async function askTool(send: Ground['send'], world: string, name: string, input: object): Promise<void> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
  const text = await send(`${world}/_control/mcp`, sending('POST', message, accept))
  if (/"isError":true|"error":/.test(text.slice(0, 2000)))
    throw new Error(`${name} ${JSON.stringify(input).slice(0, 100)}: ${text.slice(0, 400)}`)
}
