import { askTool } from './agents.ts'
import { type Ground, inWorld, sending, times } from './ground.ts'

const guest = { 'request-source': 'vendor.com' }
const FEEDBACK = '/stg/us/guest/customerFeedback'

/** Reads cases, past states and differences through the control API and the MCP tools. */
export async function measureRecordedWorlds(ground: Ground): Promise<void> {
  await inWorld(ground, 'steps', (world) => measureSteps(ground, world))
  await inWorld(ground, 'texts', (world) => measureTexts(ground, world))
}

/** Each step writes a record. */
async function measureSteps({ call, send }: Ground, world: string): Promise<void> {
  await send(`${world}/_control/recordings`, sending('POST', {}))
  const post = sending('POST', { rating: 5, comment: 'fine' }, guest)
  for (let i = 0; i < 3000; i += 10) await Promise.all(times(10, () => send(world + FEEDBACK, post)))
  const create = (at: number) => sending('POST', { name: 'rewound', from: 'steps', at })
  const recorded = (what: string) => `3,000 recorded steps: ${what}`
  await call(recorded('a rewound world'), 200, '/_control/worlds', create(2999))
  await call(recorded('how it differs'), 200, '/_control/worlds/steps/diff?with=rewound')
  await call(recorded('two moments'), 200, '/_control/worlds/steps/diff?with=steps&at=1&withAt=3000')
  await send('/_control/worlds/rewound', { method: 'DELETE' })
  await call(recorded('the case'), 200, `${world}/_control/recordings/current`)
}

/** One case has the maximum size that the tools accept. The other one has 27 MB, so it is rejected. */
async function measureTexts({ measure, send }: Ground, world: string): Promise<void> {
  await send(`${world}/_control/recordings`, sending('POST', {}))
  const post = (length: number) =>
    send(world + FEEDBACK, sending('POST', { rating: 5, comment: 'fine', further: 'x'.repeat(length) }, guest))
  for (let i = 0; i < 800; i++) await post(100)
  const inputs = [{ action: 'state' }, { action: 'replay' }, { action: 'shrink' }, { action: 'save' }]
  const shown = ['html', 'mermaid', 'har', 'curl'].map((format) => ({ action: 'show', format }))
  for (const input of [...inputs, ...shown]) {
    const what = `the tool case, of 800 steps: ${Object.values(input).join(', ')}`
    await measure(what, () => askTool(send, world, 'case', input))
  }
  for (let i = 0; i < 30; i++) await post(900_000)
  const ask = (input: object) => () => askTool(send, world, 'case', input)
  await measure('the tool case, of 27 MB: state', ask({ action: 'state' }))
  const refused = await measure('the tool case, of 27 MB: replay', () => ask({ action: 'replay' })().catch(String))
  if (!String(refused).includes('at most')) throw new Error('27 MB were replayed')
}
