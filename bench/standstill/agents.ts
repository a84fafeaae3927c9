import { type Ground, inWorld, sending, times } from './ground.ts'

const accept = { accept: 'application/json, text/event-stream' }

/** Tools of agents that were made to work long: a call that is explained is changed and tried up to forty times. */
export async function measureAgents(ground: Ground): Promise<void> {
  await inWorld(ground, 'agents', async (world) => {
    const { call, send } = ground
    const path = `${world}/_control/mcp`
    const ask = (name: string, input: object) =>
      sending('POST', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }, accept)
    // They are loaded when they are first asked for, once.
    await send(path, ask('explain', { operation: 8, body: {} }))
    await call('explain: a booking of nothing', 200, path, ask('explain', { operation: 8, body: {} }))
    const symptoms = times(900, (i) => `symptom ${i}`)
    await call('explain: 900 symptoms', 200, path, ask('explain', { operation: 33, body: { symptoms } }))
    const values = times(90, (i) => `device ${i}`)
    const subscriptionFilters = times(100, () => ({ type: 'DEVICEIDS', value: values }))
    await call(
      'explain: 100 filters',
      200,
      path,
      ask('explain', { operation: 'createSubscription', body: { subscriptionFilters } }),
    )
    const body = { bpNo: 'x'.repeat(900_000) }
    await call('explain: a text of 900 KB', 200, path, ask('explain', { operation: 8, body }))
  })
}
