import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { readStatusRange, STATUS_RANGE } from '#contract/records/status-range.ts'
import { ControlError } from '#tools/client/errors.ts'
import { toLine } from '#tools/client/journal-line.ts'
import type { JournalEntry } from '#tools/client/types.ts'
import type { JournalFilter } from '#tools/client/inputs.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { clientOptions, withWorld } from './client.ts'
import { defineCommand } from '../command.ts'
import { type CommandOutput, exitCodes, UsageError } from '../input-output.ts'

const LARGEST_PAGE = 100
const RECONNECT_AFTER_MS = 1000

export const logs = defineCommand({
  options: {
    follow: { about: 'Print entries as they arrive, until interrupted' },
    limit: { takes: 'NUMBER', about: 'Number of newest entries to print first, 1 to 100', default: '20' },
    all: { about: 'Print every entry of the journal' },
    operation: { takes: 'NAME', about: 'Number of an operation of document 1, or a name such as createServiceToken' },
    status: { takes: 'STATUS', about: 'Response status, class or range: 404, 4xx or 400-499' },
    method: { takes: 'METHOD', about: 'HTTP method, such as POST' },
    path: { takes: 'PATTERN', about: "Path with * as a wildcard, such as '/stg/us/*'" },
    caller: { takes: 'NAME', about: 'Caller such as web-alice, or dealer, user, guest or other' },
    search: { takes: 'TEXT', about: 'Text in the method, path, status, query, headers, body or data' },
    trace: { takes: 'ID', about: 'Trace ID, 32 hexadecimal digits' },
    refused: { about: 'Rejected requests only' },
    ...clientOptions,
  },
  example: 'logs --follow --refused',
  async run({ values }, { stdout, stderr }) {
    const { operation, status, method, path, caller, search: q, trace: traceId, refused, limit } = values
    if (status !== undefined && !readStatusRange(status)) throw new UsageError(`--status ${status} ${STATUS_RANGE}`)
    if (path !== undefined && !/^[/*]/.test(path))
      throw new UsageError(`--path ${path} does not begin with /. Use a path such as '/stg/us/*' or '*/${path}*'`)
    const filter = { operation, status, method, path, caller, q, traceId, refused } as JournalFilter
    const print = (entries: readonly JournalEntry[]) => {
      for (const entry of entries) stdout.write(values.json ? `${JSON.stringify(entry)}\n` : toLine(entry))
    }
    const count = toNumber('limit', limit) ?? LARGEST_PAGE
    if (count < 1 || count > LARGEST_PAGE)
      throw new UsageError(`--limit ${limit} is out of range. Use 1 to ${LARGEST_PAGE}, or --all`)
    return withWorld(values, async (world) => {
      const first = values.all ? await readSince(world, filter, 0) : await world.journal({ ...filter, limit: count })
      print(first.toReversed())
      if (first.length === 0) stderr.write(`${describeEmpty(world, filter, values.follow)}\n`)
      if (values.follow) await follow(world, filter, first[0]?.id ?? 0, { print, stderr })
      return exitCodes.ok
    })
  },
})

function describeEmpty({ name, url }: WorldClient, filter: JournalFilter, isFollowed = false): string {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const what = isFiltered
    ? `No request in the journal of world ${name} on this instance matches`
    : `The journal of world ${name} is empty on this instance`
  if (isFollowed) return `${what}. Waiting for ${isFiltered ? 'matching requests' : 'requests'} to ${url}`
  if (isFiltered) return `${what}. Run npx --no vendor-cloud logs without filters to see all`
  return `${what}. Send a request to ${url}`
}

/** Returns the newest entry first. */
async function readSince(world: WorldClient, filter: JournalFilter, after: number): Promise<JournalEntry[]> {
  const found: JournalEntry[] = []
  for (let before: number | undefined; ; before = found.at(-1)?.id) {
    const page = await world.journal({ ...filter, limit: LARGEST_PAGE, ...(before !== undefined && { before }) })
    const fresh = page.filter(({ id }) => id > after)
    found.push(...fresh)
    if (fresh.length < LARGEST_PAGE) return found
  }
}

interface Follower {
  print: (entries: readonly JournalEntry[]) => void
  stderr: CommandOutput['stderr']
}

/** The feed only announces new entries. The server then selects those that match the filter. */
async function follow(
  world: WorldClient,
  filter: JournalFilter,
  printed: number,
  { print, stderr }: Follower,
): Promise<void> {
  const left = new AbortController()
  const leave = () => left.abort()
  process.once('SIGINT', leave)
  // The program that reads the output, such as `head`, has closed the pipe.
  process.stdout.once('error', leave)
  let newest = printed
  const { origin } = new URL(world.url)
  let isLost = false
  let isOther = false
  try {
    while (!left.signal.aborted) {
      try {
        for await (const { event } of world.watch(left.signal)) {
          if (isLost) stderr.write(`connected to ${origin} again\n`)
          isOther ||= isLost
          isLost = false
          if (event === 'cleared') newest = 0
          if (event !== 'journal') continue
          // If the server was restarted, its journal starts again.
          if (isOther && ((await world.journal({ limit: 1 }))[0]?.id ?? 0) < newest) newest = 0
          isOther = false
          const fresh = await readSince(world, filter, newest)
          newest = fresh[0]?.id ?? newest
          print(fresh.toReversed())
        }
        // The feed ends if the world is reset or restored or if the server stops. The journal then starts again.
        newest = 0
      } catch (error) {
        if (!(error instanceof ControlError && [0, 503].includes(error.status))) throw error
        if (!isLost) stderr.write(`lost the connection to ${origin}; waiting for the server\n`)
        isLost = true
      }
      await pause(RECONNECT_AFTER_MS, undefined, { signal: left.signal })
    }
  } catch (error) {
    if (!left.signal.aborted) throw error
  } finally {
    process.off('SIGINT', leave)
    process.stdout.off('error', leave)
  }
}

function toNumber(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^\d+$/.test(given)) throw new UsageError(`--${name} ${given} is not a number`)
  return Number(given)
}
