import * as z from 'zod'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import type { ClockMove } from '#tools/client/types.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { ToolError } from '../errors.ts'
import { anything, count } from '../fields.ts'
import { type CallContext, changing, defineTool, reading, readWorld } from '../tool.ts'

const now = z.string().max(40).describe('ISO 8601')
const DURATION = 'must have a unit: use an ISO 8601 duration such as P31D or PT90S'
const duration = z
  .string(DURATION)
  .max(40)
  .refine((text) => !/^\d+$/.test(text), DURATION)
const from = z.string().max(64).optional()
const frozen = z.boolean().describe('Pause the clock').optional()
const common = {
  profile: z.union([z.string(), anything]).optional(),
  expiresIn: count.describe('Seconds').optional(),
}
const args = { name: 'world' }
const PASS = 'pass world in each call'
const HOW_TO_SELECT = `make or fork one, or ${PASS}`

export const worldTool = defineTool({
  name: 'world',
  title: 'Worlds',
  description:
    'Worlds are isolated copies of the vendor. `make` creates one (`seed` makes IDs repeatable). `fork` copies ' +
    '`from`. `rewind` copies `from` after step `at` of its recording. The new world is named `world` (default: ' +
    'generated) and, over stdio, selected for later calls. Point your client at the returned `url`.',
  destructive: true,
  actions: {
    list: reading({}, async (world, _, { open, named, readOnly }) => {
      const { items } = await open(DEFAULT_WORLD).worlds()
      const worlds = items.map(({ name, ...each }) => ({ world: name, ...each }))
      const exists = items.some(({ name }) => name === world.name)
      if (!exists && named === undefined)
        return { next: `world ${world.name} does not exist; ${readOnly ? PASS : HOW_TO_SELECT}`, worlds }
      const { version, counts, try: people } = await world.status()
      return { ...(await describe(world)), version, counts, people, worlds }
    }),
    make: changing({ seed: z.string().max(200).optional(), now: now.optional(), frozen, ...common }, create, args),
    fork: changing({ from, frozen, ...common }, copy, args),
    rewind: changing(
      { from, at: z.union([z.number(), z.string()]).describe('Step or timestamp'), ...common },
      copy,
      args,
    ),
    reset: changing({}, async (world) => {
      await world.reset()
      return describe(world)
    }),
    delete: changing({}, async (world, _, context) => {
      if (context.named === undefined) throw new ToolError('world is required for the action delete')
      await world.delete()
      if (world.name !== context.world) return {}
      const selected = context.select?.()
      if (selected === undefined || selected === world.name) {
        return { next: `this was the selected world, so select another: ${HOW_TO_SELECT}` }
      }
      return { next: `this was the selected world; calls without world now use ${selected}` }
    }),
  },
})

export const timeTool = defineTool({
  name: 'time',
  title: 'Clock',
  description:
    'Read or change the clock. advance by `duration` (P31D, PT90S). ' +
    'set: move it to `now`. freeze: pause it, optionally at `now`. run: resume it. reset: return to real time.',
  actions: {
    read: reading({}, ({ clock }) => clock.read()),
    advance: changing({ duration }, ({ clock }, given) => describeMove(clock.advance(given.duration))),
    set: changing({ now }, ({ clock }, given) => describeMove(clock.set(given.now))),
    freeze: changing({ now: now.optional() }, ({ clock }, given) => describeMove(clock.freeze(given.now))),
    run: changing({}, ({ clock }) => clock.unfreeze()),
    reset: changing({}, ({ clock }) => describeMove(clock.reset())),
  },
})

/** An agent would otherwise read `due: 0` as a statement about renewals. */
async function describeMove(move: Promise<ClockMove>) {
  const notCounted = 'renewals, visits and service tokens, which the server computes when a request needs them'
  return { ...(await move), notCounted }
}

async function describe(world: WorldClient) {
  const clock = await world.clock.read()
  return { world: world.name, url: world.url, now: clock.now, frozen: clock.frozen }
}

function copy(world: WorldClient, { from, ...draft }: { from?: string | undefined }, context: CallContext) {
  return create(world, { from: readWorld(from ?? context.world), ...draft }, context)
}

async function create(_: WorldClient, draft: object, { open, named, select, world }: CallContext) {
  const { name } = await open(DEFAULT_WORLD).control<{ name: string }>('POST', 'worlds', { name: named, ...draft })
  select?.(name)
  const made = await describe(open(name))
  return select ? made : { ...made, next: `pass world ${name} in each call: a call without it uses ${world}` }
}
