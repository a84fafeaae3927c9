import * as z from 'zod'
import { profileNames } from '#contract/records/control/fault.ts'
import { readyMadeNames } from '#contract/records/control/ready-made.ts'
import type { VariationKind } from '#contract/records/control/variation.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import type { ChaosInput, FaultDraft } from '#tools/client/types.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { type Arguments, ifPresent, ToolError } from '../errors.ts'
import { anything, count } from '../fields.ts'
import { changing, defineTool, reading } from '../tool.ts'

export const faultTool = defineTool({
  name: 'inject_fault',
  title: 'Inject faults',
  description:
    'Make requests fail or change behavior. fault: {match: {operation}, respond: {status | reset | ' +
    'timeout | cut | fault | resultCode}, times, delayMs, when}. profile: faults ' +
    `(${profileNames.join(', ')}), behavior (${readyMadeNames.join(', ')}) or {profile, choices, variation}. ` +
    'variation: vary responses, which stay valid (`kinds`, default all). Cases keep only the variation of a ' +
    'profile. stream: disrupt a stream. stop ends faults, variation and profile.',
  requiresAction: true,
  actions: {
    list: reading({}, describe),
    profile: injecting(
      { profile: z.union([z.string().max(64), anything]) },
      (world, { profile }) => setProfile(world, profile),
      { body: 'profile' },
    ),
    fault: injecting({ fault: anything }, (world, { fault }) => world.faults.add(fault as FaultDraft), {
      body: 'fault',
    }),
    variation: injecting({ kinds: z.array(z.string().max(64)).max(100).optional() }, (world, { kinds = [] }) =>
      world.variation.set({ kinds: kinds as VariationKind[] }),
    ),
    stream: injecting(
      {
        subscriptionId: z.string().max(100),
        effect: z.string().max(100).describe('drop, truncate, duplicate, delay, goodbye, stall, no-welcome'),
        at: z.string().max(10).describe('truncate: middle, id').optional(),
        ms: count.optional(),
      },
      (world, { subscriptionId, effect: action, ...options }) =>
        world.streams.injectFault(subscriptionId, { action, ...options } as ChaosInput),
      { action: 'effect' },
    ),
    stop: injecting({}, stop),
  },
})

/** Every action returns the faults and the variation that are active in the world afterwards. */
function injecting<Shape extends z.ZodRawShape>(
  shape: Shape,
  inject: (world: WorldClient, input: z.output<z.ZodObject<Shape>>) => Promise<unknown>,
  args?: Arguments,
) {
  return changing(
    shape,
    async (world, input) => {
      await inject(world, input)
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
  throw new ToolError(`unknown profile ${profile}${suggestNearest(profile, [...profileNames, ...readyMadeNames])}`)
}

async function stop(world: WorldClient): Promise<void> {
  await world.faults.clear()
  await ifPresent(world.variation.end())
  await ifPresent(world.profile.end())
}
