import { askTool } from './agents.ts'
import { type Ground, sending } from './ground.ts'

const accept = { accept: 'application/json, text/event-stream' }

/** Each of these requests loads or creates something that no earlier request has used. */
export async function measureFirstRequests({ call, measure, send }: Ground): Promise<void> {
  await call('first status', 200, '/_control/status')
  await call('first choices', 200, '/_control/choices')
  await call('first list of worlds', 200, '/_control/worlds')
  await call('first page of the journal', 200, '/_control/journal')
  const verify = { match: { path: '/stg/us/guest/zipCode' } }
  await call('first verify', 200, '/_control/journal/verify', sending('POST', verify))
  await call('first records', 200, '/_control/records/tickets')
  await call('first slots', 200, '/_control/service-centers/ASC001/slots')
  await call('first moves', 200, '/_control/progress')
  await call('first device check', 200, '/_control/wallet/check', sending('POST', { card: {} }))
  const profile = { profile: 'bench', choices: { 'ticket-progress': 'auto' } }
  await call('first profile', 200, '/_control/profile', sending('PUT', profile))
  await call('first session', 200, '/_control/sessions', sending('POST', { identity: 'profile:web-alice' }))
  await call(
    'first pact state: the default fixtures',
    200,
    '/_control/pact-states',
    sending('POST', { state: 'the default fixtures' }),
  )
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  await call('first list of tools', 200, '/_control/mcp', sending('POST', list, accept))
  const ask = (what: string, name: string, input: object) =>
    measure(`first tool: ${what}`, () => askTool(send, '', name, input))
  await ask('world', 'world', {})
  await ask('call', 'call', { operation: 8, body: {} })
  await ask('explain', 'explain', { operation: 8, body: {} })
  await ask('journal', 'journal', {})
  await ask('examine', 'examine', { action: 'list' })
  await call('first recording', 200, '/_control/recordings', sending('POST', {}))
  await call('first recorded call', 200, '/stg/us/guest/zipCode?zipCode=07660', {
    headers: { 'request-source': 'vendor.com' },
  })
  await call('first case', 200, '/_control/recordings/current')
  for (const action of ['show', 'replay', 'shrink', 'replay']) await ask(`case, ${action}`, 'case', { action })
  await call('first rewind', 200, '/_control/worlds', sending('POST', { name: 'rewound', from: 'default', at: 1 }))
  await call('first diff', 200, '/_control/worlds/default/diff?with=rewound')
}
