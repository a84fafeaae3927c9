import { profileNames } from '#contract/records/control/fault.ts'
import { sayNearest } from '#contract/records/nearest.ts'
import { toLinePart } from '#tools/client/printable.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { clientOptions, withWorld } from './client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, oneOf, readText, show, UsageError } from '../input-output.ts'

interface Page<T> {
  items: readonly T[]
  totalCount: number
}
type Range = Record<'limit' | 'offset', number>

interface Listing<T> {
  /** Parts follow each other in this order. */
  parts: readonly ((world: WorldClient, range: Range) => Promise<Page<T>>)[]
  columns: Readonly<Record<string, (item: T) => unknown>>
  none: string
}

/** No reply holds more. */
const PAGE = 100

function listing<T>({ parts, columns, none }: Listing<T>) {
  return async (world: WorldClient, limit: number) => {
    const page: { items: T[]; totalCount: number } = { items: [], totalCount: 0 }
    for (const part of parts) {
      const { items, totalCount } = await readUpTo(part, world, limit - page.items.length)
      page.items.push(...items)
      page.totalCount += totalCount
    }
    return { page, table: page.items.length > 0 ? toTable(page.items, columns) : `${none}\n` }
  }
}

/** Even an empty list is asked once, since its total is told. */
async function readUpTo<T>(part: Listing<T>['parts'][number], world: WorldClient, limit: number): Promise<Page<T>> {
  const items: T[] = []
  for (;;) {
    const size = Math.min(PAGE, Math.max(1, limit - items.length))
    const page = await part(world, { limit: size, offset: items.length })
    items.push(...page.items.slice(0, Math.max(0, limit - items.length)))
    if (items.length >= Math.min(limit, page.totalCount) || page.items.length === 0) {
      return { items, totalCount: page.totalCount }
    }
  }
}

function toLimit(given: string): number {
  const limit = Number(given)
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError(`--limit takes a whole number from 1, not ${given}`)
  return limit
}

function readJson(given: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(given)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // The error is thrown below.
  }
  throw new UsageError(`${given.slice(0, 100)} is no JSON object`)
}

/** A word alone is meant for a ready-made profile. */
function readFault(given: string): Record<string, unknown> {
  if (!/^[\w-]+$/.test(given)) return readJson(given)
  throw new UsageError(`${given} is neither a JSON object nor a ready-made profile${sayNearest(given, profileNames)}`)
}

const listRecords = (collection: string) => (world: WorldClient, range: Range) => world.records.list(collection, range)

const listings = {
  worlds: listing({
    parts: [(world) => world.worlds()],
    none: 'no worlds',
    columns: {
      NAME: ({ name }) => name,
      FROM: ({ from }) => from,
      SEED: ({ seed }) => seed,
      CREATED: ({ createdAt }) => createdAt,
      EXPIRES: ({ expiresAt }) => expiresAt,
    },
  }),
  faults: listing({
    parts: [(world) => world.faults.list()],
    none: 'no faults',
    columns: {
      ID: ({ faultId }) => faultId,
      NAME: ({ name }) => name,
      MATCH: ({ match }) => JSON.stringify(match),
      RESPOND: ({ respond, delayMs }) => JSON.stringify(respond ?? { delayMs }),
      STRUCK: ({ struck, times }) => (times === undefined ? struck : `${struck} of ${times}`),
    },
  }),
  devices: listing({
    parts: [listRecords('devices')],
    none: 'no devices',
    columns: {
      DEVICE: ({ deviceId }) => deviceId,
      NAME: ({ name }) => name,
      LOCATION: ({ locationId }) => locationId,
    },
  }),
  outbox: listing({
    parts: [(world, query) => world.call('listOutbox', { query })],
    none: 'the outbox is empty',
    columns: {
      SENT: ({ sentAt }) => sentAt,
      BY: ({ channel }) => channel,
      TO: ({ to }) => to,
      SUBJECT: ({ subject }) => subject,
      LINK: ({ links }) => links[0]?.href,
    },
  }),
  purchases: listing({
    parts: [listRecords('purchases')],
    none: 'no purchases',
    columns: {
      PURCHASE: ({ purchaseID }) => purchaseID,
      ITEM: ({ itemID }) => itemID,
      PRICE: ({ price, currency }) =>
        `${typeof price === 'number' ? price.toFixed(2) : toText(price)} ${toText(currency)}`,
      PERIOD: ({ period }) => period,
      BOUGHT: ({ purchasedAt }) => purchasedAt,
      CANCELLED: ({ cancellation }) => (cancellation as { at: string } | undefined)?.at,
    },
  }),
  tickets: listing({
    parts: [listRecords('tickets'), listRecords('inStoreRequests')],
    none: 'no tickets',
    columns: {
      SRID: ({ srid }) => srid,
      TICKET: ({ ticketNumber }) => ticketNumber,
      TYPE: ({ serviceType }) => serviceType,
      STATUS: ({ status }) => status,
      MODEL: ({ modelCode }) => modelCode,
      UPDATED: ({ updatedAt }) => updatedAt,
    },
  }),
}
const listed = Object.keys(listings) as (keyof typeof listings)[]

export const list = defineCommand({
  words: { '<RESOURCE>': listed.join(', ') },
  options: {
    limit: { takes: 'NUMBER', about: 'How many rows at most', default: String(PAGE) },
    all: { about: 'Show all rows' },
    ...clientOptions,
  },
  example: 'list tickets --limit 20',
  async run({ values, words: [name = ''] }, output) {
    const read = listings[oneOf(name, listed)]
    if (name === 'worlds' && values.world !== undefined) throw new UsageError('list worlds takes no --world')
    const limit = values.all ? Number.POSITIVE_INFINITY : toLimit(values.limit)
    return withWorld(values, async (world) => {
      const { page, table } = await read(world, limit)
      show(page, values.json, output, () => table)
      const left = page.totalCount - page.items.length
      if (left > 0) output.stderr.write(`and ${left} more: --all\n`)
      return exitCodes.ok
    })
  },
})

interface Change {
  /** For programs. */
  value: unknown
  /** For people. */
  told: string
}
type Act = (world: WorldClient, given: string) => Promise<Change>

const creating: Readonly<Record<'world' | 'fault' | 'device', Act>> = {
  async world(world, given) {
    const { name, url } = await world.world(given === '' ? {} : { name: given })
    return { value: { name, url }, told: url }
  },
  async fault(world, given) {
    const profile = profileNames.find((name) => name === given)
    const items =
      profile === undefined
        ? [await world.faults.add(readFault(given) as never)]
        : (await world.faults.profile(profile)).items
    return { value: { items }, told: items.map(({ faultId }) => faultId).join('\n') }
  },
  async device(world, given) {
    const device = readJson(given)
    const { deviceId } = device
    if (typeof deviceId !== 'string') throw new UsageError('deviceId is missing')
    await world.records.put('devices', deviceId, device)
    return { value: device, told: deviceId }
  },
}

const deleting: typeof creating = {
  async world(world, name) {
    await world.call('deleteWorld', { params: [name] })
    return { value: { name }, told: `the world ${name} is gone` }
  },
  async fault(world, faultId) {
    await world.faults.remove(faultId)
    return { value: { faultId }, told: `the fault ${faultId} is gone` }
  },
  async device(world, deviceId) {
    await world.records.delete('devices', deviceId)
    return { value: { deviceId }, told: `the device ${deviceId} is gone` }
  },
}
const changed = ['world', 'fault', 'device'] as const

export const create = defineCommand({
  words: {
    '<RESOURCE>': changed.join(', '),
    '[VALUE]':
      'name of a world (default: generated), JSON of a fault or device, or name of a fault profile; - reads it from the standard input',
  },
  options: clientOptions,
  example: `create fault '{"match": {"operation": 30}, "respond": {"status": 503}, "times": 2}'`,
  async run({ values, words: [resource = '', given = ''] }, output) {
    const name = oneOf(resource, changed)
    const value = given === '-' ? await readText('-') : given
    return withWorld(
      values,
      async (world) => {
        const done = await creating[name](world, value)
        show(done.value, values.json, output, () => `${done.told}\n`)
        return exitCodes.ok
      },
      [name === 'world' ? 'NAME' : 'JSON'],
    )
  },
})

export const remove = defineCommand({
  words: { '<RESOURCE>': changed.join(', '), '<ID>': 'name of the world, ID of the fault or device' },
  options: clientOptions,
  example: 'delete world demo',
  async run({ values, words: [resource = '', id = ''] }, output) {
    const name = oneOf(resource, changed)
    return withWorld(values, async (world) => {
      const done = await deleting[name](world, id)
      show(done.value, values.json, output, () => `${done.told}\n`)
      return exitCodes.ok
    })
  },
})

function toTable<T>(items: readonly T[], columns: Listing<T>['columns']): string {
  const cells = items.map((item) => Object.values(columns).map((read) => toLinePart(toText(read(item)))))
  const rows = [Object.keys(columns), ...cells]
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i]!)).join('  '))
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

/** A stranger's record may have an object where text belongs. */
function toText(value: unknown): string {
  if (value === undefined || value === null) return '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
