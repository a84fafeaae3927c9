import * as z from 'zod'
import type { DeviceChange, HealthChange, LifecycleChange } from '#tools/client/types.ts'
import { upTo } from '../fields.ts'
import { changing, defineTool, reading } from '../tool.ts'

const text = z.string().max(200)
const deviceId = text
const ticket = { srid: text }

export const eventTool = defineTool({
  name: 'trigger_event',
  title: 'Trigger events',
  description:
    'Trigger an event of the vendor. device, health, lifecycle: change a device (`deviceId`: ID or unique name) and ' +
    'send its event. confirm_ticket, complete_ticket: `srid`. cancel_purchase: `reason` 1 user, 2 system, 3 billing, ' +
    '4 item, 5 unknown. outbox: list emails and SMS.',
  actions: {
    outbox: reading({ limit: upTo(100).default(20) }, async (world, page) => ({ messages: await world.outbox(page) })),
    device: changing(
      {
        deviceId,
        capability: text,
        attribute: text,
        value: z.unknown().optional(),
        component: text.optional(),
        unit: text.optional(),
        force: z.boolean().optional(),
      },
      async (world, { deviceId: id, ...change }) => ({ result: await world.events.emit(id, change as DeviceChange) }),
    ),
    health: changing(
      { deviceId, health: text.describe('ONLINE, OFFLINE, UNHEALTHY') },
      async (world, { deviceId: id, health }) => ({
        result: await world.events.health(id, { status: health } as HealthChange),
      }),
      { status: 'health' },
    ),
    lifecycle: changing(
      {
        deviceId,
        lifecycle: text.describe('CREATE, UPDATE, DELETE, ROOM_MOVE'),
        roomIdTo: text.optional(),
      },
      async (world, { deviceId: id, ...change }) => ({
        result: await world.events.lifecycle(id, change as LifecycleChange),
      }),
    ),
    confirm_ticket: changing(ticket, async (world, { srid }) => ({ result: await world.tickets.confirm(srid) })),
    complete_ticket: changing(ticket, async (world, { srid }) => ({ result: await world.tickets.complete(srid) })),
    cancel_purchase: changing(
      { purchaseID: text, reason: z.unknown().optional() },
      async (world, { purchaseID, reason = 1 }) => ({
        result: await world.purchases.cancel(purchaseID, String(reason) as '1'),
      }),
    ),
  },
})
