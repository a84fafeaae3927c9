import { z } from 'zod'
import { changing, defineTool, reading } from '../tool.ts'

const now = z.string().max(40).describe('ISO 8601')

export const timeTool = defineTool({
  name: 'time',
  title: 'Time',
  description:
    "The world's clock, which everything follows. advance by `duration` (P31D, PT90S); what falls due has happened then. " +
    'set `now`; freeze (at `now`); run on; reset to real time.',
  output: { now: z.string(), frozen: z.boolean() },
  actions: {
    read: reading({}, ({ clock }) => clock.read()),
    advance: changing({ duration: z.union([z.string().max(40), z.number()]) }, ({ clock }, { duration }) =>
      clock.advance(duration),
    ),
    set: changing({ now }, ({ clock }, given) => clock.set(given.now)),
    freeze: changing({ now: now.optional() }, ({ clock }, given) => clock.freeze(given.now)),
    run: changing({}, ({ clock }) => clock.unfreeze()),
    reset: changing({}, ({ clock }) => clock.reset()),
  },
})
