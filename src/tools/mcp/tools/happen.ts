import * as z from 'zod'
import type { DeviceChange, HealthChange, LifecycleChange } from '#tools/client/types.ts'
import { anything, upTo } from '../fields.ts'
import { changing, defineTool, reading } from '../tool.ts'

const text = z.string().max(200)
const deviceId = text
const ticket = { srid: text }

export const happenTool = defineTool({
  name: 'happen',
  title: 'Let something happen',
  description:
    "What happens on the vendor's side: event, health or lifecycle of a device; confirm or complete a ticket (srid); " +
    'cancel a purchase (reason 1 user, 2 system, 3 billing, 4 item, 5 unknown). mails: what was sent, with cancel links.',
  output: { mails: z.array(anything).optional(), happened: z.unknown().optional() },
  actions: {
    mails: reading({ limit: upTo(100).default(20) }, async (world, page) => ({ mails: await world.outbox(page) })),
    event: changing(
      {
        deviceId,
        capability: text,
        attribute: text,
        value: z.unknown().optional(),
        component: text.optional(),
        unit: text.optional(),
        force: z.boolean().optional(),
      },
      async (world, { deviceId: id, ...change }) => ({ happened: await world.events.emit(id, change as DeviceChange) }),
    ),
    health: changing(
      { deviceId, health: z.string().max(20).describe('ONLINE, OFFLINE, UNHEALTHY') },
      async (world, { deviceId: id, health }) => ({
        happened: await world.events.health(id, { status: health } as HealthChange),
      }),
      { status: 'health' },
    ),
    lifecycle: changing(
      {
        deviceId,
        lifecycle: z.string().max(20).describe('CREATE, UPDATE, DELETE, ROOM_MOVE'),
        roomIdTo: text.optional(),
      },
      async (world, { deviceId: id, ...change }) => ({
        happened: await world.events.lifecycle(id, change as LifecycleChange),
      }),
    ),
    confirm: changing(ticket, async (world, { srid }) => ({ happened: await world.tickets.confirm(srid) })),
    complete: changing(ticket, async (world, { srid }) => ({ happened: await world.tickets.complete(srid) })),
    cancel: changing(
      { purchaseID: text, reason: z.union([z.string().max(2), z.number()]).optional() },
      async (world, { purchaseID, reason = 1 }) => ({
        happened: await world.purchases.cancel(purchaseID, String(reason) as '1'),
      }),
    ),
  },
})
