import type { Bindings } from '../../contract/cases/placeholders.ts'
import type { CaseCall } from '../../contract/records/control/case.ts'
import { knownFixtures } from '../../contract/records/known-fixtures.ts'

const MARK = String.raw`\{\{token:(\d+)\}\}`
const [token] = knownFixtures.tokens
const [partner] = knownFixtures.partners
const [seller] = knownFixtures.sellers
const [web, , splus] = knownFixtures.callers
const [dealer] = knownFixtures.dealers

/** Lists the places of a secret in a call, and the people of the fixtures who may stand in. */
const places = [
  [`"authorization":"Bearer ${MARK}"`, token],
  [`secret>${MARK}<`, seller],
  [`partnerCode=${MARK}`, partner],
  [`"vendorus-guid":"${MARK}"`, splus],
  [`vendorus-prof-?id(?:":"|=)${MARK}`, web],
] as const

/**
 * The upstream's callers are unknown to our fixtures, so a person of the fixtures calls in our world wherever a secret
 * has no value there.
 */
export function standIn(bindings: Bindings, call: CaseCall): void {
  const text = JSON.stringify(call)
  for (const [place, name] of places) {
    for (const [, n] of text.matchAll(new RegExp(place, 'gi'))) {
      const isDealer = name === web && call.path.includes('/dealer/')
      if (bindings.lacks(`{{token:${n}}}`)) bindings.set(Number(n), isDealer ? dealer : name)
    }
  }
}
