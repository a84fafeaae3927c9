import * as z from 'zod'
import { profileNames } from '#contract/records/control/fault.ts'
import { readyMadeNames } from '#contract/records/control/ready-made.ts'
import type { VariationKind } from '#contract/records/control/variation.ts'
import { sayNearest } from '#contract/records/nearest.ts'
import type { ChaosInput, FaultDraft } from '#tools/client/types.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { type Arguments, ifPresent, ToolError } from '../errors.ts'
import { anything, count } from '../fields.ts'
import { changing, defineTool, reading } from '../tool.ts'

export const disturbTool = defineTool({
  name: 'disturb',
  title: 'Disturb',
  description:
    `Let things go wrong. profile: by name, faults (${profileNames.join(', ')}) or a vendor that behaves otherwise ` +
    `(${readyMadeNames.join(', ')}), or {profile, choices}. fault: {match: {operation}, respond: {status | reset | ` +
    'timeout | cut | fault | resultCode}, times, delayMs, when}. variation: replies differ where documents are ' +
    'silent (kinds; none: all). chaos: on a live stream. list shows all; stop ends faults, variation and profile.',
  output: { faults: z.array(anything), variation: z.unknown(), profile: z.unknown(), streams: z.array(anything) },
  actions: {
    list: reading({}, describe),
    profile: disturbing(
      { profile: z.union([z.string().max(64), anything]) },
      (world, { profile }) => setProfile(world, profile),
      { body: 'profile' },
    ),
    fault: disturbing({ fault: anything }, (world, { fault }) => world.faults.add(fault as FaultDraft), {
      body: 'fault',
    }),
    variation: disturbing({ kinds: z.array(z.string().max(64)).max(100).default([]) }, (world, { kinds }) =>
      world.variation.set({ kinds: kinds as VariationKind[] }),
    ),
    chaos: disturbing(
      {
        subscriptionId: z.string().max(100),
        chaos: z.string().max(40).describe('drop, truncate, duplicate, delay, goodbye, stall, no-welcome'),
        ms: count.optional(),
      },
      (world, { subscriptionId, chaos: action, ms }) =>
        world.streams.disturb(subscriptionId, { action, ...(ms !== undefined && { ms }) } as ChaosInput),
      { action: 'chaos' },
    ),
    stop: disturbing({}, stop),
  },
})

/** Every action returns what disturbs the world after it. */
function disturbing<Shape extends z.ZodRawShape>(
  shape: Shape,
  disturb: (world: WorldClient, input: z.output<z.ZodObject<Shape>>) => Promise<unknown>,
  args?: Arguments,
) {
  return changing(
    shape,
    async (world, input) => {
      await disturb(world, input)
      return describe(world)
    },
    args,
  )
}

async function describe(world: WorldClient) {
  const [faults, variation, profile, streams] = await Promise.all([
    world.faults.list(),
    ifPresent(world.variation.read()),
    ifPresent(world.profile.read()),
    world.streams.list(),
  ])
  return { faults: faults.items, variation: variation ?? null, profile: profile ?? null, streams: streams.items }
}

async function setProfile(world: WorldClient, profile: string | Record<string, unknown>): Promise<unknown> {
  if (typeof profile !== 'string') return world.control('PUT', 'profile', profile)
  const fault = profileNames.find((name) => name === profile)
  if (fault) return world.faults.profile(fault)
  const ready = readyMadeNames.find((name) => name === profile)
  if (ready) return world.profile.set(ready)
  throw new ToolError(`profile ${profile} is none${sayNearest(profile, [...profileNames, ...readyMadeNames])}`)
}

async function stop(world: WorldClient): Promise<void> {
  await world.faults.clear()
  await ifPresent(world.variation.end())
  await ifPresent(world.profile.end())
}
