import { type Ground, sending } from './ground.ts'

const identity = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }

/** The records of `FIXTURES=large` are generated only when they are first requested. */
export async function measureLargeFixtures({ call }: Ground): Promise<void> {
  const large = (what: string) => `large fixtures: ${what}`
  const list = (query: string) => `/stg/us/dealer/tickets?${query}`
  await call(large('first list of tickets'), 200, list('limit=20'), { headers: identity })
  await call(large('status'), 200, '/_control/status')
  await call(large('a page in the middle'), 200, list('offset=20000&limit=100'), { headers: identity })
  await call(large('customers'), 200, '/_control/records/customers?limit=100&offset=10000')
  await call(large('records by key'), 200, '/_control/records/tickets?limit=100&offset=50000')
  await call(large('a snapshot'), 200, '/_control/snapshot')
  await call(large('a world of its own'), 200, '/_control/worlds', sending('POST', { name: 'own' }))
  await call(large('the first list of that'), 200, `/w/own${list('limit=20')}`, { headers: identity })
  await call(large('how the two differ'), 200, '/_control/worlds/own/diff?with=default')
  const auto = { profile: 'bench', choices: { 'ticket-progress': 'auto' } }
  await call(large('requests that move'), 200, '/_control/profile', sending('PUT', auto))
  await call(large('what moves next'), 200, '/_control/progress?limit=100')
  await call(large('a year on'), 200, '/_control/clock/advance', sending('POST', { duration: 'P365D' }))
  await call(large('the list a year on'), 200, list('limit=20'), { headers: identity })
  await call(large('the world is recorded'), 200, '/_control/recordings', sending('POST', {}))
  await call(large('a recorded list'), 200, list('limit=20'), { headers: identity })
  await call(large('a case'), 200, '/_control/recordings/current')
  await call(large('a whole case'), 200, '/_control/recordings/current?whole=true')
  await call(
    large('a rewound world'),
    200,
    '/_control/worlds',
    sending('POST', { name: 'rewound', from: 'default', at: 1 }),
  )
  await call(large('the list of that'), 200, `/w/rewound${list('limit=20')}`, { headers: identity })
  await call(large('a diff with a moment'), 200, '/_control/worlds/default/diff?with=default&at=1')
  await call(large('a reset'), 204, '/_control/reset', { method: 'POST' })
}
