import { z } from 'zod'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import { anything, count } from '../fields.ts'
import { defineTool, need, readWorld } from '../tool.ts'

export const worldTool = defineTool({
  name: 'world',
  title: 'Worlds',
  description:
    'Worlds are isolated copies of the vendor. list them; make one (seed makes ids repeatable); fork one as it ' +
    'stands; rewind: a new world as a recorded one stood after step `at`; reset or delete one. For make, fork, ' +
    'rewind `world` names the new one (left out: one is named), `from` its source. Point the client under test at `url`.',
  input: {
    action: z.enum(['list', 'make', 'fork', 'rewind', 'reset', 'delete']).default('list'),
    from: z.string().max(64).optional(),
    at: z.union([z.number(), z.string()]).describe('Step or instant').optional(),
    seed: z.string().max(200).optional(),
    now: z.string().max(40).describe('ISO 8601').optional(),
    frozen: z.boolean().describe('Clock stands').optional(),
    profile: z.union([z.string(), anything]).optional(),
    expiresIn: count.describe('Seconds').optional(),
  },
  output: {
    world: z.string(),
    url: z.string().optional(),
    now: z.string().optional(),
    worlds: z.array(anything).optional(),
  },
  reads: ['list'],
  destructive: true,
  takes: {
    list: [],
    make: ['seed', 'now', 'frozen', 'profile', 'expiresIn'],
    fork: ['from', 'frozen', 'profile', 'expiresIn'],
    rewind: ['from', 'at', 'profile', 'expiresIn'],
    reset: [],
    delete: [],
  },
  words: () => ({ fields: { name: 'world' } }),
  async run(world, { action, from, at, seed, now, frozen, profile, expiresIn }, context, named) {
    const tell = async (name: string) => {
      const one = context.open(name)
      const clock = await one.clock.read()
      return { world: name, url: one.url, now: clock.now, frozen: clock.frozen }
    }
    const create = async (draft: object) => {
      const made = await context.open(DEFAULT_WORLD).control<{ name: string }>('POST', 'worlds', {
        ...(named !== undefined && { name: named }),
        ...draft,
        ...(expiresIn !== undefined && { expiresIn }),
      })
      return tell(made.name)
    }
    switch (action) {
      case 'list': {
        const { items } = await world.worlds()
        const { version, counts, try: people } = await world.status()
        return { ...(await tell(world.name)), version, counts, people, worlds: items }
      }
      case 'make':
        return create({ seed, now, frozen, profile })
      case 'fork':
        return create({ from: readWorld(from ?? context.world), frozen, profile })
      case 'rewind':
        return create({ from: readWorld(from ?? context.world), at: need(at, 'at', action), profile })
      case 'reset':
        await world.reset()
        return tell(world.name)
      case 'delete':
        await world.delete()
        return { world: world.name }
    }
  },
})
