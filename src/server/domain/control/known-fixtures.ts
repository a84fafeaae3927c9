import { knownFixtures } from '#contract/records/known-fixtures.ts'
import type { ToTry } from '#contract/records/control/status.ts'
import type { Ports } from '#server/ports.ts'

/** Only names that still exist in the world are given. */
export async function findToTry({ store, digests }: Ports): Promise<ToTry> {
  const hasProfile = async (name: string) =>
    (await store.profiles.get(`profile:${name}`)) ?? (await store.profiles.get(`guid:${name}`))
  return {
    callers: await filter(knownFixtures.callers, hasProfile),
    dealers: await filter(knownFixtures.dealers, hasProfile),
    tokens: await filter(knownFixtures.tokens, (token) => store.accessTokens.get(digests.sha256(token))),
    partners: await filter(knownFixtures.partners, (code) => store.partners.get(code)),
    sellers: await filter(knownFixtures.sellers, (secret) => store.sellers.get(secret)),
  }
}

async function filter(names: readonly string[], find: (name: string) => Promise<unknown>): Promise<string[]> {
  const found = await Promise.all(names.map(find))
  return names.filter((_, i) => found[i] !== undefined)
}
