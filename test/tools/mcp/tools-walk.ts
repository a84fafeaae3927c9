import { booking } from '../../helpers/bookings.ts'
import type { Agent } from '../../helpers/mcp-client.ts'

type Step = [tool: string, input: Record<string, unknown>, told: object]

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const at = { now: '2026-05-06T12:00:00Z', frozen: true }

/** Uses each of the ten tools at least once, in a separate world. Each step lists a part of the expected result. */
export const walk: readonly Step[] = [
  ['world', { action: 'make', seed: 'walk', ...at }, { world: 'walk' }],
  ['case', { action: 'record' }, { recording: true }],
  ['call', { operation: 8, body: { ...booking, timeSlot: 'never' } }, { status: 400, entry: 1 }],
  ['explain', { entry: 1 }, { refused: true, example: { operation: 8 } }],
  ['call', { operation: 8, body: booking }, { status: 200 }],
  ['journal', { refused: true }, { totalCount: 1 }],
  ['verify', { match: { operation: 8, status: 200 }, count: 1 }, { matched: true }],
  [
    'inject_fault',
    { action: 'fault', fault: { match: { operation: 30 }, respond: { status: 503 } } },
    { faults: [{}] },
  ],
  ['call', { operation: 30, query: { zipCode: '07660' } }, { status: 503 }],
  ['inject_fault', { action: 'profile', profile: 'strict' }, { profile: { profile: 'strict' } }],
  ['inject_fault', { action: 'stop' }, { faults: [], profile: null }],
  ['time', { action: 'advance', duration: 'P1D' }, { now: '2026-05-07T12:00:00.000Z' }],
  ['trigger_event', { action: 'device', deviceId: LIGHT, capability: 'switch', attribute: 'switch', value: 'off' }, {}],
  ['trigger_event', {}, { messages: [] }],
  ['world', { action: 'rewind', from: 'walk', at: 1, world: 'past' }, { world: 'past' }],
  ['world', { action: 'fork', from: 'walk', world: 'fork' }, { world: 'fork' }],
  ['case', { action: 'replay' }, { same: true }],
  ['case', { action: 'show', format: 'curl' }, {}],
  ['examine', { action: 'list', only: 'wallet' }, {}],
  ['world', { action: 'reset' }, { now: '2026-05-06T12:00:00.000Z' }],
  ['case', { action: 'stop' }, { recording: false }],
  ['world', { action: 'delete', world: 'past' }, { world: 'past' }],
  ['world', { action: 'delete', world: 'fork' }, { world: 'fork' }],
  ['world', { action: 'delete', world: 'walk' }, { world: 'walk' }],
]

export async function walkThrough({ call }: Agent): Promise<{ answered: unknown[]; wanted: object[] }> {
  const answered: unknown[] = []
  for (const [tool, input] of walk) {
    const { isError, text, value } = await call(tool, { world: 'walk', ...input })
    answered.push({ tool, refused: isError ? text : '', value })
  }
  return { answered, wanted: walk.map(([tool, , value]) => ({ tool, refused: '', value })) }
}
