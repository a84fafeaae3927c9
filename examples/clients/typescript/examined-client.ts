/**
 * Runs the scenarios of `vendor-cloud examine` with the reference clients. Environment variables select the scenario and
 * the callers. Run it with `vendor-cloud examine -- node examined-client.mjs`.
 */
import process from 'node:process'
import {
  attachImages,
  bookVisit,
  createBillingClient,
  createEventsClient,
  createSupportClient,
  createWalletClient,
  LostAnswer,
  openTicket,
  Refusal,
  type SupportClient,
  type Wire,
} from 'vendor-cloud/clients'

/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

const HOME = '11111111-0000-4000-8000-000000000001'

/** Runs one scenario. Its clients send their requests through `wire`. */
export async function play(environment: Environment, wire: Omit<Wire, 'url'> = {}): Promise<unknown> {
  const { VENDOR_CLOUD_URL: url = '', VENDOR_CLOUD_SCENARIO: scenario = '' } = environment
  const [document = ''] = scenario.split('-')
  return plays[document]?.({ url, ...wire }, environment, scenario)
}

type Play = (wire: Wire, environment: Environment, scenario: string) => Promise<unknown>

const plays: Readonly<Record<string, Play>> = { support: playSupport, events: playEvents, wallet: playWallet, billing }

async function playSupport(wire: Wire, environment: Environment, scenario: string): Promise<unknown> {
  const { VENDOR_CLOUD_PROF_ID: user = '', VENDOR_CLOUD_DEALER: dealer = '' } = environment
  const clientOf = (identity: string) =>
    createSupportClient({ ...wire, source: 'vendor.com', identity, signIn: () => renewSession(wire, identity) })
  const [support, portal] = [clientOf(user), clientOf(dealer)]
  switch (scenario) {
    case 'support-ticket-lost':
      return openTelevisionTicket(support, portal)
    case 'support-list': {
      let count = 0
      for await (const _ of portal.items('GET /stg/us/dealer/tickets', {}, ({ srid }) => srid)) count++
      return count
    }
    case 'support-nothing-there':
      return support.call('GET /stg/us/instore/detail', { srid: '1234567890' })
    case 'support-images':
      return attach(support, portal)
    case 'support-image-lost':
      return attachOnce(support, portal)
    case 'support-cancel': {
      const { srid } = await book(support)
      await support.call('DELETE /stg/us/instore/cancel', { srid })
      return support.call('GET /stg/us/instore/detail', { srid })
    }
    case 'support-feedback-4':
      return support.call('POST /stg/us/customerFeedback', {}, { rating: 5, comment: 'fine' })
    case 'support-feedback-22':
      return support.call('POST /stg/us/guest/customerFeedback', {}, { rating: 5, comment: 'fine' })
    default:
      if (/^support-(?:lookup-|maintenance)/.test(scenario))
        return support.call('GET /stg/us/guest/zipCode', { zipCode: '07660' })
      return book(support).then(({ srid }) => support.call('GET /stg/us/instore/detail', { srid }))
  }
}

async function book(support: SupportClient): Promise<{ srid: string }> {
  const { symptoms } = await support.call('GET /stg/us/instore/noauth/symptoms')
  const visit = {
    symptoms: [symptoms[0]!.symptomId],
    modelCode: 'VM-S100',
    zipCode: '07660',
    firstName: 'Al',
    lastName: 'Ice',
    email: 'alice@example.com',
    mobilePhone: '201-555-0143',
  }
  return bookVisit(support, visit, (free) => free.at(-1))
}

async function openTelevisionTicket(support: SupportClient, portal: SupportClient): Promise<unknown> {
  const { symptoms: kinds } = await support.call('GET /stg/us/guest/symptom', { subType: 'TV' })
  const symCode1 = kinds[0]!.code
  const chosen = { subType: 'TV', symptomLevel1: symCode1 }
  const { symptoms } = await support.call('GET /stg/us/guest/symptom', chosen)
  const ticket = {
    bpNo: '1000000001',
    modelCode: 'VM-TV55',
    serialNumber: '0TV55XYZ12A',
    serviceType: 'IH' as const,
    symCode1,
    symCode2: symptoms[0]!.code,
    problemDescription: 'no picture',
  }
  return openTicket(portal, ticket, '07660', (free) => free.at(-1))
}

const picture = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

async function findOpenTicket(portal: SupportClient): Promise<string> {
  const open = { bpNoList: ['1000000001'], statusList: ['E0001' as const] }
  const { items } = await portal.call('GET /stg/us/dealer/tickets', open)
  return items[0]!.srid
}

async function attach(support: SupportClient, portal: SupportClient): Promise<unknown> {
  const sizes = [6_000_000, 0, 0, 0, 0, 0]
  const pictures = sizes.map((more) => new Blob([picture, new Uint8Array(more)]))
  return attachImages(support, await findOpenTicket(portal), pictures)
}

/** If the response is lost, checks whether the ticket already has the image before it tries again. */
async function attachOnce(support: SupportClient, portal: SupportClient): Promise<unknown> {
  const srid = await findOpenTicket(portal)
  const send = () => attachImages(support, srid, [new Blob([picture])])
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error
  }
  const { images } = await portal.call('GET /stg/us/dealer/tickets/{id}', { id: srid })
  return images.length > 0 ? images : send()
}

async function playEvents(wire: Wire, environment: Environment): Promise<void> {
  const { VENDOR_CLOUD_TOKEN: first = '', HEARTBEAT_SECONDS: heartbeat = '1' } = environment
  const client = createEventsClient({
    ...wire,
    heartbeatSeconds: Number(heartbeat),
    token: (refused) => (refused === undefined ? first : issueToken(wire)),
  })
  const filters = [{ type: 'LOCATIONIDS' as const, value: ['ALL'] }]
  for await (const _ of client.follow({ name: 'all', version: 1, subscriptionFilters: filters })) {
    // The examination sees the requests, so the events need no handling.
  }
}

/** Stands in for the vendor's sign-in. */
async function renewSession({ url, signal }: Wire, identity: string): Promise<void> {
  const body = JSON.stringify({ identity: `profile:${identity}` })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/_control/sessions`, { method: 'POST', body, headers, ...(signal && { signal }) })
}

/** Stands in for the vendor's token service. */
async function issueToken({ url, signal }: Wire): Promise<string> {
  const body = { user: 'alice-home', scopes: ['r:locations:*'], locations: [HOME], expiresIn: 3600 }
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', body: JSON.stringify(body), headers, ...(signal && { signal }) }
  const { accessToken } = (await (await fetch(`${url}/_control/tokens`, init)).json()) as { accessToken: string }
  return accessToken
}

async function playWallet(wire: Wire, environment: Environment): Promise<void> {
  const { VENDOR_CLOUD_PARTNER_CODE: partnerCode = '' } = environment
  const wallet = createWalletClient({ ...wire, partnerCode })
  await wallet.add('VM-S100', () => wallet.check('VM-S200'))
}

async function billing(wire: Wire, environment: Environment): Promise<void> {
  const { VENDOR_CLOUD_SELLER_SECRET: secret = '', VENDOR_CLOUD_PURCHASE_ID: purchase = '' } = environment
  const { url, signal } = wire
  const client = createBillingClient({
    ...wire,
    secret,
    // Each world has its own clock.
    now: async () => {
      const { now } = (await (await fetch(`${url}/_control/clock`, { ...(signal && { signal }) })).json()) as {
        now: string
      }
      return Date.parse(now)
    },
  })
  for await (const _ of client.follow(purchase, 100)) {
    // The examination sees the requests, so the results need no handling.
  }
}

if (process.argv[1] && import.meta.url.endsWith(process.argv[1].replace(/^.*[/\\]/, '/'))) {
  try {
    await play(process.env)
  } catch (error) {
    // If the vendor rejects a request, the program itself has not failed.
    if (!(error instanceof Refusal || error instanceof LostAnswer)) throw error
    process.stderr.write(`${error.message}\n`)
  }
}
