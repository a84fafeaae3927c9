import { z } from 'zod'
import { profileNames } from '#contract/records/control/fault.ts'
import { readyMadeNames } from '#contract/records/control/ready-made.ts'
import { type VariationKind, variationKinds } from '#contract/records/control/variation.ts'
import { sayNearest } from '#contract/records/nearest.ts'
import { ControlError } from '#tools/client/errors.ts'
import type { ChaosInput, FaultDraft } from '#tools/client/types.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { ToolError } from '../errors.ts'
import { anything, count } from '../fields.ts'
import { defineTool, need, shorten } from '../tool.ts'

export const disturbTool = defineTool({
  name: 'disturb',
  title: 'Disturb',
  description:
    `Let things go wrong. profile: by name, faults (${profileNames.join(', ')}) or a vendor that behaves otherwise ` +
    `(${readyMadeNames.join(', ')}), or {profile, choices}. fault: {match: {operation}, respond: {status | reset | ` +
    'timeout | cut | fault | resultCode}, times, delayMs, when}. variation: replies differ where documents are ' +
    'silent (kinds; none: all). chaos: on a live stream. list shows all; stop ends faults, variation and profile.',
  input: {
    action: z.enum(['list', 'profile', 'fault', 'variation', 'chaos', 'stop']).default('list'),
    profile: z.union([z.string().max(64), anything]).optional(),
    fault: anything.optional(),
    kinds: z.array(z.string().max(64)).max(100).optional(),
    subscriptionId: z.string().max(100).optional(),
    chaos: z.string().max(40).describe('drop, truncate, duplicate, delay, goodbye, stall, no-welcome').optional(),
    ms: count.optional(),
  },
  output: { faults: z.array(anything), variation: z.unknown(), profile: z.unknown(), streams: z.array(anything) },
  reads: ['list'],
  takes: {
    list: [],
    profile: ['profile'],
    fault: ['fault'],
    variation: ['kinds'],
    chaos: ['subscriptionId', 'chaos', 'ms'],
    stop: [],
  },
  words: ({ action }) => ({
    whole: action === 'fault' || action === 'profile' ? action : undefined,
    ...(action === 'chaos' && { fields: { action: 'chaos' } }),
  }),
  async run(world, { action, profile, fault, kinds, subscriptionId, chaos, ms }) {
    if (action === 'profile') await setProfile(world, need(profile, 'profile', action))
    if (action === 'fault') await world.faults.add(need(fault, 'fault', action) as FaultDraft)
    if (action === 'variation') await world.variation.set({ kinds: (kinds ?? []).map(toKind) })
    if (action === 'chaos') {
      const input = { action: need(chaos, 'chaos', action), ...(ms !== undefined && { ms }) } as ChaosInput
      await world.streams.disturb(need(subscriptionId, 'subscriptionId', action), input)
    }
    if (action === 'stop') await stop(world)
    const [faults, variation, set, streams] = await Promise.all([
      world.faults.list(),
      orNull(world.variation.read()),
      orNull(world.profile.read()),
      world.streams.list(),
    ])
    return shorten({ world: world.name, faults: faults.items, variation, profile: set, streams: streams.items })
  },
})

async function setProfile(world: WorldClient, profile: string | Record<string, unknown>): Promise<void> {
  if (typeof profile !== 'string') {
    await world.control('PUT', 'profile', profile)
    return
  }
  const fault = profileNames.find((name) => name === profile)
  const ready = readyMadeNames.find((name) => name === profile)
  if (fault) await world.faults.profile(fault)
  else if (ready) await world.profile.set(ready)
  else {
    const known = [...profileNames, ...readyMadeNames]
    throw new ToolError(`profile ${profile} is none${sayNearest(profile, known)}`)
  }
}

function toKind(kind: string): VariationKind {
  const found = variationKinds.find((each) => each === kind)
  if (!found) throw new ToolError(`kinds has ${kind}${sayNearest(kind, variationKinds)}`)
  return found
}

async function stop(world: WorldClient): Promise<void> {
  await world.faults.clear()
  await orNull(world.variation.end())
  await orNull(world.profile.end())
}

/** A resource that does not exist answers 404, which is no failure here. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ControlError && error.status === 404 && !error.message.startsWith('no world is named'))
      return null
    throw error
  }
}
