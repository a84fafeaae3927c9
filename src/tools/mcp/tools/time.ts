import { z } from 'zod'
import { defineTool, need } from '../tool.ts'

export const timeTool = defineTool({
  name: 'time',
  title: 'Time',
  description:
    "The world's clock, which everything follows. advance by `duration` (P31D, PT90S); what falls due has happened then. " +
    'set `now`; freeze (at `now`); run on; reset to real time.',
  input: {
    action: z.enum(['read', 'advance', 'set', 'freeze', 'run', 'reset']).default('read'),
    duration: z.union([z.string().max(40), z.number()]).optional(),
    now: z.string().max(40).describe('ISO 8601').optional(),
  },
  output: { now: z.string(), frozen: z.boolean() },
  reads: ['read'],
  takes: {
    read: [],
    advance: ['duration'],
    set: ['now'],
    freeze: ['now'],
    run: [],
    reset: [],
  },
  async run({ name, clock }, { action, duration, now }) {
    if (action === 'advance') await clock.advance(need(duration, 'duration', action))
    if (action === 'set') await clock.set(need(now, 'now', action))
    if (action === 'freeze') await clock.freeze(now)
    if (action === 'run') await clock.unfreeze()
    if (action === 'reset') await clock.reset()
    return { world: name, ...(await clock.read()) }
  },
})
