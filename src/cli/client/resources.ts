import { profileNames } from '#contract/records/control/fault.ts'
import { findJson } from '#contract/records/decoded-text.ts'
import { didYouMean } from '#contract/records/nearest.ts'
import { toLinePart } from '#tools/client/printable.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { clientOptions, withWorld } from './client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, oneOf, readText, show, UsageError } from '../input-output.ts'

interface Page {
  items: readonly object[]
  totalCount: number
}
type Row = Readonly<Record<string, unknown>>
type Read = (world: WorldClient, range: { limit: number; offset: number }) => Promise<Page>

interface Listing {
  /** Functions that read the rows. Their rows are listed in this order. */
  parts: readonly Read[]
  /** Columns by heading. The value is the name of a field, or a function. */
  columns: Readonly<Record<string, string | ((row: Row) => unknown)>>
  none: string
}

const PAGE = 100

/** Requests at least one page, even if it is empty, because the page contains the total. */
async function readUpTo(read: Read, world: WorldClient, limit: number): Promise<Page> {
  const items: object[] = []
  for (;;) {
    const size = Math.min(PAGE, Math.max(1, limit - items.length))
    const page = await read(world, { limit: size, offset: items.length })
    items.push(...page.items.slice(0, Math.max(0, limit - items.length)))
    if (items.length >= Math.min(limit, page.totalCount) || page.items.length === 0) {
      return { items, totalCount: page.totalCount }
    }
  }
}

function toLimit(given: string): number {
  const limit = Number(given)
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError(`--limit ${given} is not a whole number from 1`)
  return limit
}

function readJson(given: string): Record<string, unknown> {
  const value = findJson(given)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new UsageError(`${given.slice(0, 100)} is not a JSON object`)
}

function readFault(given: string): Record<string, unknown> {
  if (!/^[\w-]+$/.test(given)) return readJson(given)
  throw new UsageError(`${given} is neither a JSON object nor a fault profile${didYouMean(given, profileNames)}`)
}

const recordsOf =
  (collection: string): Read =>
  (world, range) =>
    world.records.list(collection, range)

const listings = {
  worlds: {
    parts: [(world) => world.worlds()],
    columns: { NAME: 'name', FROM: 'from', SEED: 'seed', CREATED: 'createdAt', EXPIRES: 'expiresAt' },
    none: 'no worlds',
  },
  faults: {
    parts: [(world) => world.faults.list()],
    columns: {
      ID: 'faultId',
      NAME: 'name',
      MATCH: 'match',
      RESPOND: ({ respond, delayMs }) => respond ?? { delayMs },
      HITS: ({ hits, times }) => (times === undefined ? hits : `${toText(hits)} of ${toText(times)}`),
    },
    none: 'no faults',
  },
  devices: {
    parts: [recordsOf('devices')],
    columns: { DEVICE: 'deviceId', NAME: 'name', LOCATION: 'locationId' },
    none: 'no devices',
  },
  outbox: {
    parts: [(world, query) => world.call('listOutbox', { query })],
    columns: {
      SENT: 'sentAt',
      BY: 'channel',
      TO: 'to',
      SUBJECT: 'subject',
      LINK: ({ links }) => (links as readonly { href: string }[])[0]?.href,
    },
    none: 'the outbox is empty',
  },
  purchases: {
    parts: [(world, range) => world.purchases.list(range)],
    columns: {
      PURCHASE: 'purchaseID',
      SELLER: 'sellerSecret',
      STATUS: ({ cancellation }) => (cancellation === undefined ? 'ACTIVE' : 'CANCEL'),
      ITEM: 'itemID',
      PRICE: ({ price, currency }) =>
        `${typeof price === 'number' ? price.toFixed(2) : toText(price)} ${toText(currency)}`,
      PERIOD: 'period',
      BOUGHT: 'purchasedAt',
      'PAID UNTIL': 'paidUntil',
      CANCELLED: ({ cancellation }) => (cancellation as { at: string } | undefined)?.at,
    },
    none: 'no purchases',
  },
  streams: {
    parts: [(world) => world.streams.list()],
    columns: { SUBSCRIPTION: 'subscriptionId', NAME: 'name', USER: 'user', OPENED: 'openedAt', EVENTS: 'eventsSent' },
    none: 'no open streams',
  },
  tickets: {
    parts: [recordsOf('tickets'), recordsOf('inStoreRequests')],
    columns: {
      SRID: 'srid',
      TICKET: 'ticketNumber',
      TYPE: 'serviceType',
      STATUS: 'status',
      MODEL: 'modelCode',
      UPDATED: 'updatedAt',
    },
    none: 'no tickets',
  },
  tokens: {
    parts: [recordsOf('accessTokens')],
    columns: {
      USER: 'user',
      EXPIRES: 'expiresAt',
      SCOPES: ({ scopes }) => (scopes as readonly string[]).join(' '),
      DIGEST: 'tokenDigest',
    },
    none: 'no tokens',
  },
} as const satisfies Record<string, Listing>
const listed = Object.keys(listings) as (keyof typeof listings)[]

export const list = defineCommand({
  words: { '<RESOURCE>': listed.join(', ') },
  options: {
    limit: { takes: 'NUMBER', about: 'Maximum number of rows', default: String(PAGE) },
    all: { about: 'Show all rows' },
    ...clientOptions,
  },
  example: 'list tickets --limit 20',
  async run({ values, words: [name = ''] }, output) {
    const { parts, columns, none }: Listing = listings[oneOf(name, listed)]
    if (name === 'worlds' && values.world !== undefined) throw new UsageError('list worlds does not accept --world')
    const limit = values.all ? Number.POSITIVE_INFINITY : toLimit(values.limit)
    return withWorld(values, async (world) => {
      const items: object[] = []
      let totalCount = 0
      for (const part of parts) {
        const page = await readUpTo(part, world, limit - items.length)
        items.push(...page.items)
        totalCount += page.totalCount
      }
      // A list that cannot be formatted as a table is not from vendor-cloud. JSON output is checked too.
      const table = items.length > 0 ? toTable(items, columns) : `${none}\n`
      show({ items, totalCount }, values.json, output, () => table)
      const left = totalCount - items.length
      if (left > 0) output.stderr.write(`${left} more (--all shows all)\n`)
      return exitCodes.ok
    })
  },
})

interface Change {
  value: unknown
  /** The text that is printed without `--json`. */
  told: string
}
type Act = (world: WorldClient, given: string) => Promise<Change>

const creating: Readonly<Record<(typeof changed)[number], Act>> = {
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
  async token(world, given) {
    const issued = await world.tokens.issue(readJson(given) as never)
    return { value: issued, told: issued.accessToken }
  },
}

const deleting = {
  world: { key: 'name', remove: (world, name) => world.call('deleteWorld', { params: [name] }) },
  fault: { key: 'faultId', remove: (world, id) => world.faults.remove(id) },
  device: { key: 'deviceId', remove: (world, id) => world.records.delete('devices', id) },
  token: { key: 'accessToken', remove: (world, token) => world.tokens.revoke(token) },
} as const satisfies Record<string, { key: string; remove(world: WorldClient, id: string): Promise<unknown> }>

const changed = ['world', 'fault', 'device', 'token'] as const

export const create = defineCommand({
  words: {
    '<RESOURCE>': changed.join(', '),
    '[VALUE]':
      'name of a world (default: generated), JSON of a fault, device or token, or name of a fault profile; - reads ' +
      'standard input',
  },
  options: clientOptions,
  example: `create fault '{"match": {"operation": 30}, "respond": {"status": 503}, "times": 2}'`,
  async run({ values, words: [resource = '', given] }, output) {
    const name = oneOf(resource, changed)
    const value = given === '-' ? await readText('-') : given
    // An empty value usually results from an unset shell variable or an empty file.
    if (value?.trim() === '') throw new UsageError('VALUE is empty')
    if (value === undefined && name !== 'world') throw new UsageError(`VALUE is missing. Add the JSON of the ${name}`)
    return withWorld(
      values,
      async (world) => {
        const done = await creating[name](world, value ?? '')
        show(done.value, values.json, output, () => `${done.told}\n`)
        return exitCodes.ok
      },
      [name === 'world' ? 'NAME' : 'JSON'],
    )
  },
})

export const remove = defineCommand({
  words: { '<RESOURCE>': changed.join(', '), '<ID>': 'name of the world, ID of the fault or device, or the token' },
  options: clientOptions,
  example: 'delete world demo',
  async run({ values, words: [resource = '', id = ''] }, output) {
    const name = oneOf(resource, changed)
    return withWorld(values, async (world) => {
      const { key, remove } = deleting[name]
      await remove(world, id)
      show({ [key]: id }, values.json, output, () => `Deleted ${name} ${id}\n`)
      return exitCodes.ok
    })
  },
})

function toTable(items: readonly object[], columns: Listing['columns']): string {
  const read = (row: Row, column: string | ((row: Row) => unknown)) =>
    typeof column === 'string' ? row[column] : column(row)
  const cells = items.map((item) =>
    Object.values(columns).map((column) => toLinePart(toText(read(item as Row, column)))),
  )
  const rows = [Object.keys(columns), ...cells]
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i]!)).join('  '))
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

/** A server other than vendor-cloud may return an object where a string is expected. */
function toText(value: unknown): string {
  if (value === undefined || value === null) return '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
