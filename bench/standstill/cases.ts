import { type Ground, inWorld, sending, times } from './ground.ts'

const guest = { 'request-source': 'vendor.com' }

/** Cases have the largest bodies, and the largest number of calls, that are allowed. */
export async function measureCases(ground: Ground): Promise<void> {
  const long = sending('POST', { rating: 5, comment: 'fine', further: 'x'.repeat(900_000) }, guest)
  await measureCase(ground, 'case-bodies', '32 MB of bodies', 34, '/stg/us/guest/customerFeedback', long)
  const zip = '/stg/us/guest/zipCode?zipCode=07660'
  await measureCase(ground, 'case-calls', '20,000 calls', 20_000, zip, { headers: guest })
}

async function measureCase(
  ground: Ground,
  world: string,
  what: string,
  count: number,
  path: string,
  init: RequestInit,
) {
  const { call, send } = ground
  await inWorld(ground, world, async (prefix) => {
    await send(`${prefix}/_control/recordings`, sending('POST', {}))
    for (let i = 0; i < count; i += 10) await Promise.all(times(10, () => send(prefix + path, init)))
    await call(`a case of ${what}`, 200, `${prefix}/_control/recordings/current`)
  })
}
