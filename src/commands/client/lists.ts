import { toLinePart } from '../../tools/control-client/printable.ts'
import type { WorldClient } from '../../tools/control-client/world-client.ts'
import { clientOptions, withWorld } from './client.ts'
import { parseCommand } from '../arguments.ts'
import { type CommandOutput, exitCodes, show } from '../input-output.ts'

/** All that a page can hold; what is left out is said. */
const MOST = 100

interface Listing<T> {
  read(world: WorldClient): Promise<{ items: readonly T[]; totalCount: number }>
  /** A row's cells, by the columns' names. */
  columns: Readonly<Record<string, (item: T) => unknown>>
}

function list<T>({ read, columns }: Listing<T>) {
  return async (args: string[], output: CommandOutput): Promise<number> => {
    const { values } = parseCommand(args, clientOptions)
    return withWorld(values, async (world) => {
      const page = await read(world)
      show(page, values.json, output, ({ items }) => toTable(items, columns))
      const left = page.totalCount - page.items.length
      if (left > 0) output.stderr.write(`and ${left} more\n`)
      return exitCodes.ok
    })
  }
}

export const worlds = list({
  read: (world) => world.worlds(),
  columns: {
    NAME: ({ name }) => name,
    FROM: ({ from }) => from,
    SEED: ({ seed }) => seed,
    CREATED: ({ createdAt }) => createdAt,
    EXPIRES: ({ expiresAt }) => expiresAt,
  },
})

export const faults = list({
  read: (world) => world.faults.list(),
  columns: {
    ID: ({ faultId }) => faultId,
    NAME: ({ name }) => name,
    MATCH: ({ match }) => JSON.stringify(match),
    RESPOND: ({ respond, delayMs }) => JSON.stringify(respond ?? { delayMs }),
    STRUCK: ({ struck, times }) => (times === undefined ? struck : `${struck} of ${times}`),
  },
})

export const outbox = list({
  read: (world) => world.call('listOutbox', { query: { limit: MOST } }),
  columns: {
    SENT: ({ sentAt }) => sentAt,
    BY: ({ channel }) => channel,
    TO: ({ to }) => to,
    SUBJECT: ({ subject }) => subject,
    LINK: ({ links }) => links[0]?.href,
  },
})

export const purchases = list({
  read: (world) => world.records.list('purchases', { limit: MOST }),
  columns: {
    PURCHASE: ({ purchaseID }) => purchaseID,
    ITEM: ({ itemID }) => itemID,
    PRICE: ({ price, currency }) => `${toText(price)} ${toText(currency)}`,
    PERIOD: ({ period }) => period,
    BOUGHT: ({ purchasedAt }) => purchasedAt,
    CANCELLED: ({ cancellation }) => (cancellation as { at: string } | undefined)?.at,
  },
})

export const tickets = list({
  read: async (world) => {
    const pages = await Promise.all(
      ['tickets', 'inStoreRequests'].map((collection) => world.records.list(collection, { limit: MOST })),
    )
    const items = pages.flatMap((page) => page.items)
    return { items, totalCount: pages.reduce((sum, page) => sum + page.totalCount, 0) }
  },
  columns: {
    SRID: ({ srid }) => srid,
    TICKET: ({ ticketNumber }) => ticketNumber,
    TYPE: ({ serviceType }) => serviceType,
    STATUS: ({ status }) => status,
    MODEL: ({ modelCode }) => modelCode,
    UPDATED: ({ updatedAt }) => updatedAt,
  },
})

function toTable<T>(items: readonly T[], columns: Listing<T>['columns']): string {
  const cells = items.map((item) => Object.values(columns).map((read) => toLinePart(toText(read(item)))))
  const rows = [Object.keys(columns), ...cells]
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i]!)).join('  '))
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

/** A record of a stranger's may have an object in the place of a text. */
function toText(value: unknown): string {
  if (value === undefined || value === null) return '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
