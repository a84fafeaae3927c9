import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { toLine } from '../client/journal-line.ts'
import { toPrintable } from '../client/printable.ts'
import {
  openVendorCloud,
  saveCasePage,
  type VendorCloud,
  type VendorCloudOptions,
  type VendorCloudWorld,
  type WorldOptions,
} from '../../index.ts'

export interface TestOptions {
  /** The variable VENDOR_CLOUD_URL names a running server, which is then used instead. */
  server?: VendorCloudOptions
  world?: WorldOptions
  /** The folder for the cases of failed tests. Default: `failed-cases`. `false` records nothing. */
  cases?: string | false
}

export interface WorldContext {
  /** Belongs to this test only. When the test fails, its journal is printed and its case saved. */
  world: VendorCloudWorld
}

/** Seconds after which the worlds of an aborted run expire. */
const FORGOTTEN = 3600
/** A longer journal would bury the failure. */
const MOST = 100

/** The server starts with the first test that asks for a world. */
export function createTestWorlds({ server: options = {}, world: plan, cases = 'failed-cases' }: TestOptions = {}) {
  let server: Promise<VendorCloud> | undefined
  return {
    /** The world's description is the title of its test, so that lists show it. */
    async begin(title: string): Promise<VendorCloudWorld> {
      server ??= openVendorCloud({ unref: true, ...options })
      const name = toWorldName(title)
      return (await server).world({ name, expiresIn: FORGOTTEN, record: cases !== false, ...plan })
    },

    /** Prints what a failed test's world was asked, so `failed` holds the whole title. */
    async end(world: VendorCloudWorld, failed?: readonly string[]): Promise<string | undefined> {
      const told = failed && (await tell(world, failed, cases))
      if (told !== undefined) process.stderr.write(toPrintable(told))
      // The test may have deleted its world itself.
      await world.delete().catch(() => {})
      return told
    },

    async stop(): Promise<void> {
      await (await server)?.stop()
      server = undefined
    },
  }
}

/** An error of the report must not replace the failure of the test. */
async function tell(world: VendorCloudWorld, title: readonly string[], cases: string | false): Promise<string> {
  const say = ({ message }: Error) => `${message}\n`
  const journal = await describeJournal(world).catch(say)
  const saved = cases === false ? '' : await saveCase(world, join(cases, toFileName(title))).catch(say)
  return `\n"${title.join(' > ')}" failed. ${journal}${saved}`
}

async function describeJournal(world: VendorCloudWorld): Promise<string> {
  const entries = await world.journal({ limit: MOST })
  const lines = entries.toReversed().map((entry) => `  ${toLine(entry)}`)
  const what = entries.length < MOST ? 'Its journal' : `The newest ${MOST} entries of its journal`
  return lines.length === 0 ? 'The test sent no requests.\n' : `${what}:\n${lines.join('')}`
}

/** A world that was never asked anything has no case worth saving. */
async function saveCase(world: VendorCloudWorld, file: string): Promise<string> {
  if ((await world.journal({ limit: 1 })).length === 0) return ''
  await world.saveCase(file)
  const page = await saveCasePage(file).then(
    (name) => `Case page (open in a browser): ${name}\n`,
    ({ message }: Error) => `The case page could not be written: ${message}\n`,
  )
  return `Replay the case: npx --no vendor-cloud replay ${file}\n${page}`
}

function toFileName(title: readonly string[]): string {
  const name = title.join(' ').replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  return `${name.toLowerCase().slice(0, 100)}.jsonl`
}

/** A repeated test has another world, and so have tests of one title in parallel files. */
function toWorldName(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  const own = randomUUID().slice(0, 8)
  return `${words.slice(0, 50)}-${own}`.replace(/^-+/, '').replaceAll(/--+/g, '-')
}
