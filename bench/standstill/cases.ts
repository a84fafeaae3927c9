import { type Ground, inWorld, sending, times } from './ground.ts'

const guest = { 'request-source': 'vendor.com' }

/** Measures cases that have the largest allowed bodies or the largest allowed number of requests. */
export async function measureCases(ground: Ground): Promise<void> {
  const long = sending('POST', { rating: 5, comment: 'fine', further: 'x'.repeat(900_000) }, guest)
  await measureCase(ground, 'case-bodies', '32 MB of bodies', 34, '/stg/us/guest/customerFeedback', long)
  const zip = '/stg/us/guest/zipCode?zipCode=07660'
  await measureCase(ground, 'case-calls', '20,000 calls', 20_000, zip, { headers: guest })
  for (const [what, piece] of Object.entries(secrets)) await measureSecrets(ground, what, piece)
}

const drawn = (i: number) => `${i}Qx${(i * 48_271) % 1_000_003}zK${i}`
/** Bodies of 900 KB that are full of secret names. Many of the names are in text that is not valid JSON. */
const secrets: Readonly<Record<string, (i: number) => string>> = {
  fields: (i) => `"password":"${drawn(i)}","token":"${i}",`,
  'one value': () => '"password":"hunter2hunter2",',
  'nested objects': (i) => `${'{"token":'.repeat(60)}"${drawn(i)}"${'}'.repeat(60)},`,
  elements: (i) => `<password>${drawn(i)}</password>`,
  'a form': (i) => `&token=${drawn(i)}`,
  'encoded addresses': (i) => `&next=${encodeURIComponent(`/a?b=${encodeURIComponent(`/c?token=${drawn(i)}`)}`)}`,
  'beginnings of tokens': () => 'eyJ-',
  'names without values': () => '"name":"token" name="token" ',
}

async function measureSecrets(ground: Ground, what: string, piece: (i: number) => string): Promise<void> {
  const { call, send } = ground
  await inWorld(ground, 'case-secrets', async (prefix) => {
    await send(`${prefix}/_control/recordings`, sending('POST', {}))
    let further = ''
    for (let i = 0; further.length < 700_000; i++) further += piece(i)
    const taken = sending('POST', { rating: 5, comment: 'fine', further }, guest)
    const wrong = sending('POST', `{${further}`, guest)
    const path = `${prefix}/stg/us/guest/customerFeedback`
    await call(`a recorded body of secrets: ${what}`, 200, path, taken)
    await call(`one that is no JSON: ${what}`, 400, path, wrong)
    await call(`a case of secrets: ${what}`, 200, `${prefix}/_control/recordings/current`)
  })
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
