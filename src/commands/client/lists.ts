import { profileNames } from '../../contract/records/control/fault.ts'
import { sayNearest } from '../../contract/records/nearest.ts'
import { toLinePart } from '../../tools/control-client/printable.ts'
import type { WorldClient } from '../../tools/control-client/world-client.ts'
import { clientOptions, serverOptions, withWorld } from './client.ts'
import { flag, oneOf, parseCommand, text, UsageError } from '../arguments.ts'
import { type CommandOutput, exitCodes, readText, show } from '../input-output.ts'

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
  acts?: Acts
  /** `worlds` takes no option that names a world. */
  options?: typeof serverOptions
}

type Acts = Readonly<Record<string, Act>>
interface Act {
  /** Brackets mean that it may be left out. */
  takes: string
  run(world: WorldClient, given: string): Promise<Done>
}
interface Done {
  /** For programs. */
  value: unknown
  /** For people. */
  told: string
}

/** No reply holds more. */
const PAGE = 100

export const listHelp = ['--limit NUMBER       how many at most; default 100', '--all                without a limit']

function list<T>({ parts, columns, none, acts = {}, options = clientOptions }: Listing<T>) {
  return async (args: string[], output: CommandOutput): Promise<number> => {
    const [verb = '', ...rest] = args
    const act = Object.hasOwn(acts, verb) ? acts[verb] : undefined
    if (act) return change(rest, act, options, output)
    if (/^[^-]/.test(verb)) oneOf(verb, ['list', ...Object.keys(acts)])
    const { values } = parseCommand(verb === 'list' ? rest : args, { ...options, limit: text, all: flag })
    const limit = values.all ? Number.POSITIVE_INFINITY : toLimit(values.limit ?? String(PAGE))
    return withWorld(values, async (world) => {
      const page: { items: T[]; totalCount: number } = { items: [], totalCount: 0 }
      for (const part of parts) {
        const { items, totalCount } = await readUpTo(part, world, limit - page.items.length)
        page.items.push(...items)
        page.totalCount += totalCount
      }
      show(page, values.json, output, ({ items }) => (items.length > 0 ? toTable(items, columns) : `${none}\n`))
      const left = page.totalCount - page.items.length
      if (left > 0) output.stderr.write(`and ${left} more: --all\n`)
      return exitCodes.ok
    })
  }
}

async function change(
  args: string[],
  { takes, run }: Act,
  options: typeof serverOptions,
  output: CommandOutput,
): Promise<number> {
  const { values, words } = parseCommand(args, options, [takes])
  const given = words[0] === '-' ? await readText('-') : (words[0] ?? '')
  const changed = async (world: WorldClient) => {
    const { value, told } = await run(world, given)
    show(value, values.json, output, () => `${told}\n`)
    return exitCodes.ok
  }
  return withWorld(values, changed, [takes.replaceAll(/[[\]]/g, '')])
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

export const worlds = list({
  parts: [(world) => world.worlds()],
  none: 'no worlds',
  options: serverOptions,
  columns: {
    NAME: ({ name }) => name,
    FROM: ({ from }) => from,
    SEED: ({ seed }) => seed,
    CREATED: ({ createdAt }) => createdAt,
    EXPIRES: ({ expiresAt }) => expiresAt,
  },
  acts: {
    create: {
      takes: '[NAME]',
      async run(world, given) {
        const { name, url } = await world.world(given === '' ? {} : { name: given })
        return { value: { name, url }, told: url }
      },
    },
    delete: {
      takes: 'NAME',
      run: async (world, name) => {
        await world.call('deleteWorld', { params: [name] })
        return { value: { name }, told: `the world ${name} is gone` }
      },
    },
  },
})

export const faults = list({
  parts: [(world) => world.faults.list()],
  none: 'no faults',
  columns: {
    ID: ({ faultId }) => faultId,
    NAME: ({ name }) => name,
    MATCH: ({ match }) => JSON.stringify(match),
    RESPOND: ({ respond, delayMs }) => JSON.stringify(respond ?? { delayMs }),
    STRUCK: ({ struck, times }) => (times === undefined ? struck : `${struck} of ${times}`),
  },
  acts: {
    create: {
      takes: 'JSON',
      async run(world, given) {
        const profile = profileNames.find((name) => name === given)
        const items =
          profile === undefined
            ? [await world.faults.add(readFault(given) as never)]
            : (await world.faults.profile(profile)).items
        return { value: { items }, told: items.map(({ faultId }) => faultId).join('\n') }
      },
    },
    delete: {
      takes: 'ID',
      run: async (world, faultId) => {
        await world.faults.remove(faultId)
        return { value: { faultId }, told: `the fault ${faultId} is gone` }
      },
    },
  },
})

export const devices = list({
  parts: [listRecords('devices')],
  none: 'no devices',
  columns: {
    DEVICE: ({ deviceId }) => deviceId,
    NAME: ({ name }) => name,
    LOCATION: ({ locationId }) => locationId,
  },
  acts: {
    create: {
      takes: 'JSON',
      async run(world, given) {
        const device = readJson(given)
        const { deviceId } = device
        if (typeof deviceId !== 'string') throw new UsageError('deviceId is missing')
        await world.records.put('devices', deviceId, device)
        return { value: device, told: deviceId }
      },
    },
    delete: {
      takes: 'ID',
      run: async (world, deviceId) => {
        await world.records.delete('devices', deviceId)
        return { value: { deviceId }, told: `the device ${deviceId} is gone` }
      },
    },
  },
})

export const outbox = list({
  parts: [(world, query) => world.call('listOutbox', { query })],
  none: 'the outbox is empty',
  columns: {
    SENT: ({ sentAt }) => sentAt,
    BY: ({ channel }) => channel,
    TO: ({ to }) => to,
    SUBJECT: ({ subject }) => subject,
    LINK: ({ links }) => links[0]?.href,
  },
})

export const purchases = list({
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
})

export const tickets = list({
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
