import type { FaultDraft, ProfileName } from '../../../contract/records/control/fault.ts'

/** Seconds after which a client may try again. */
const retryAfter = 1

export function draftsOf(name: ProfileName): FaultDraft[] {
  return profiles[name]().map((draft) => ({ ...draft, name }))
}

const profiles: Readonly<Record<ProfileName, () => FaultDraft[]>> = {
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
}

/** Each document fails in its own dialect. */
function failures(probability: number): FaultDraft[] {
  const paths = ['/stg/*', '/subscriptions*', '/filters/*']
  return [
    ...paths.map((path): FaultDraft => ({ match: { path }, respond: { status: 503, retryAfter }, probability })),
    { match: { path: '/wallet/*' }, respond: { resultCode: 'CMN5N9001', retryAfter }, probability },
    { match: { path: '/iap/*' }, respond: { fault: -1, retryAfter }, probability },
  ]
}
