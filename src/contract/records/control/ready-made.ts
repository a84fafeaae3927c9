import type { ChoiceValues } from './choice-values.ts'
import type { FaultDraft, ProfileName } from './fault.ts'
import type { VariationDraft } from './variation.ts'

const retryAfter = 1

export function draftsOf(name: ProfileName): FaultDraft[] {
  return faultProfiles[name]().map((draft) => ({ ...draft, name }))
}

const faultProfiles: Readonly<Record<ProfileName, () => FaultDraft[]>> = {
  flaky: () => [{ match: { path: '*' }, respond: { reset: true }, probability: 0.05 }, ...failures(0.1)],
  slow: () => [{ match: { path: '*' }, delayMs: { p50: 300, p99: 2000 } }],
  brownout: () => failures(0.3),
  'lost-answers': () =>
    (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => ({
      match: { path: '*', method },
      respond: { reset: true },
      when: 'after',
      probability: 0.2,
    })),
  gateway: gatewayPages,
  maintenance: () => [
    {
      match: { path: '*' },
      respond: { status: 503, retryAfter: 120, headers: HTML, body: toPage('Maintenance', 'We are back soon.') },
    },
  ],
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }

const toPage = (title: string, text: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><h1>${title}</h1><p>${text}</p></body></html>\n`

const login = toPage('Sign in', '<form method="post" action="/login"><input name="user"><input name="password"></form>')

/** Returns faults that replace one in five responses with an error page of a gateway. All pages are equally likely. */
function gatewayPages(): FaultDraft[] {
  const replies = [
    ...([502, 503, 504] as const).map((status) => {
      const title = { 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Time-out' }[status]
      return { status, headers: HTML, body: toPage(`${status} ${title}`, 'gateway') }
    }),
    { status: 302, headers: { ...HTML, location: '/login' }, body: toPage('Found', '<a href="/login">Sign in</a>') },
    { status: 200, headers: HTML, body: login },
  ]
  const share = 0.2 / replies.length
  // A fault applies only if no earlier fault did, so each fault needs a higher probability than the previous one.
  return replies.map((respond, i) => ({ match: { path: '*' }, respond, probability: share / (1 - i * share) }))
}

function failures(probability: number): FaultDraft[] {
  const paths = ['/stg/*', '/subscriptions*', '/filters/*']
  return [
    ...paths.map((path): FaultDraft => ({ match: { path }, respond: { status: 503, retryAfter }, probability })),
    { match: { path: '/wallet/*' }, respond: { resultCode: 'CMN5N9001', retryAfter }, probability },
    { match: { path: '/iap/*' }, respond: { fault: -1, retryAfter }, probability },
  ]
}

export const readyMadeNames = ['strict', 'lenient', 'rough'] as const
export type ReadyMade = (typeof readyMadeNames)[number]

interface Ready {
  choices: Partial<ChoiceValues>
  variation?: VariationDraft
  faults?: FaultDraft[]
}

const profiles: Readonly<Record<ReadyMade, Ready>> = {
  strict: {
    choices: {
      'guest-identity': 'required',
      'address-check': 'city',
      'unusable-values': 'reject',
      'page-max': 50,
      'page-size': 10,
      'session-lifetime': 'PT1H',
      'rate-limit': { requests: 120, per: 'PT1M' },
      'stream-lifetime': 'PT4H',
      'error-shape': 'empty',
    },
  },
  lenient: {
    choices: {
      'zip-plus-four': 'accepted',
      'address-check': 'off',
      'page-max': 1000,
      'cancel-nothing': 204,
    },
  },
  rough: {
    choices: {
      'cancel-nothing': 204,
      'created-status': 201,
      'ticket-progress': 'auto',
    },
    variation: {},
    faults: draftsOf('gateway'),
  },
}

export function readyMadeProfile(name: ReadyMade) {
  return { profile: name, ...profiles[name] }
}
