import { statusOperations } from '#contract/control/status.ts'
import { isSpent } from '#contract/records/control/fault.ts'
import type { ToTry } from '#contract/records/control/status.ts'
import { knownFixtures } from '#contract/records/known-fixtures.ts'
import type { Ports } from '../ports.ts'
import type { StoredRecordings } from '../recording/recording.ts'
import { readClock } from './clock.ts'
import { type ControlContext, implementControl } from './context.ts'
import type { PublishedExamination } from './examination.ts'
import { countRecords } from './records.ts'

const documents = { support: 'stg', events: 1, wallet: 'v2.0', billing: 'deprecated' } as const

export function statusAndReset(
  { worlds, version }: ControlContext,
  kept: StoredRecordings,
  examination: PublishedExamination,
) {
  return implementControl(statusOperations, {
    readStatus: async ({ ports }) => ({
      version,
      documents,
      world: ports.world.name,
      ...(ports.world.profile && { profile: ports.world.profile.profile }),
      ...readStreamFaults(ports),
      clock: readClock(ports),
      ...(kept.has(ports) && { recorded: true, recordingEnded: kept.require(ports).recorder.ended }),
      ...(examination.newest && { examined: true }),
      liveStreams: ports.streams.size,
      try: await findToTry(ports),
      counts: await countRecords(ports),
    }),

    reset: async ({ ports }) => {
      await worlds.reset(ports.world.name)
    },
  })
}

function readStreamFaults({ faults, variations, world }: Ports) {
  const active = faults.list().filter((fault) => !isSpent(fault)).length
  return {
    ...(active > 0 && { faults: active }),
    ...(variations.read() && { varies: true }),
    ...(world.choices['rate-limit'] !== 'none' && { rateLimited: true }),
  }
}

/** Returns only values that still exist in the world, such as callers and records. */
async function findToTry({ store, digests }: Ports): Promise<ToTry> {
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
