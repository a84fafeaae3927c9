import { z } from 'zod'
import type { DeviceChange, HealthChange, LifecycleChange } from '#tools/client/types.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { anything, count } from '../fields.ts'
import { defineTool, need, shorten } from '../tool.ts'

const text = z.string().max(200).optional()

export const happenTool = defineTool({
  name: 'happen',
  title: 'Let something happen',
  description:
    "What happens on the vendor's side: event, health or lifecycle of a device; confirm or complete a ticket (srid); " +
    'cancel a purchase (reason 1 user, 2 system, 3 billing, 4 item, 5 unknown). mails: what was sent, with cancel links.',
  input: {
    action: z.enum(['mails', 'event', 'health', 'lifecycle', 'confirm', 'complete', 'cancel']).default('mails'),
    deviceId: text,
    capability: text,
    attribute: text,
    value: z.unknown().optional(),
    component: text,
    unit: text,
    force: z.boolean().optional(),
    health: z.string().max(20).describe('ONLINE, OFFLINE, UNHEALTHY').optional(),
    lifecycle: z.string().max(20).describe('CREATE, UPDATE, DELETE, ROOM_MOVE').optional(),
    roomIdTo: text,
    srid: text,
    purchaseID: text,
    reason: z.union([z.string().max(2), z.number()]).optional(),
    limit: count.max(100).default(20),
  },
  output: { mails: z.array(anything).optional(), happened: z.unknown().optional() },
  reads: ['mails'],
  takes: {
    mails: ['limit'],
    event: ['deviceId', 'capability', 'attribute', 'value', 'component', 'unit', 'force'],
    health: ['deviceId', 'health'],
    lifecycle: ['deviceId', 'lifecycle', 'roomIdTo'],
    confirm: ['srid'],
    complete: ['srid'],
    cancel: ['purchaseID', 'reason'],
  },
  words: () => ({ fields: { status: 'health' } }),
  async run(world, input) {
    const { action, limit } = input
    if (action === 'mails') return shorten({ world: world.name, mails: await world.outbox({ limit }) })
    return shorten({ world: world.name, happened: await happen(world, { ...input, action }) })
  },
})

interface Happening {
  action: 'event' | 'health' | 'lifecycle' | 'confirm' | 'complete' | 'cancel'
  deviceId?: string | undefined
  capability?: string | undefined
  attribute?: string | undefined
  value?: unknown
  component?: string | undefined
  unit?: string | undefined
  force?: boolean | undefined
  health?: string | undefined
  lifecycle?: string | undefined
  roomIdTo?: string | undefined
  srid?: string | undefined
  purchaseID?: string | undefined
  reason?: string | number | undefined
}

async function happen(world: WorldClient, given: Happening): Promise<unknown> {
  const { action, deviceId, capability, attribute, value, component, unit, force, srid, purchaseID, reason } = given
  switch (action) {
    case 'event': {
      const change = {
        capability: need(capability, 'capability', action),
        attribute: need(attribute, 'attribute', action),
      }
      const whole = { ...change, value, component, unit, force } as DeviceChange
      return world.events.emit(need(deviceId, 'deviceId', action), whole)
    }
    case 'health': {
      const status = need(given.health, 'health', action)
      return world.events.health(need(deviceId, 'deviceId', action), { status } as HealthChange)
    }
    case 'lifecycle': {
      const lifecycle = need(given.lifecycle, 'lifecycle', action)
      const change = { lifecycle, roomIdTo: given.roomIdTo } as LifecycleChange
      return world.events.lifecycle(need(deviceId, 'deviceId', action), change)
    }
    case 'confirm':
      return world.tickets.confirm(need(srid, 'srid', action))
    case 'complete':
      return world.tickets.complete(need(srid, 'srid', action))
    case 'cancel':
      return world.purchases.cancel(need(purchaseID, 'purchaseID', action), String(reason ?? 1) as '1')
  }
}
