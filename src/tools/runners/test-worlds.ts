import { join } from 'node:path'
import process from 'node:process'
import { toLine } from '../control-client/journal-line.ts'
import { toPrintable } from '../control-client/printable.ts'
import {
  openVendorCloud,
  saveCasePage,
  type VendorCloud,
  type VendorCloudOptions,
  type VendorCloudWorld,
  type WorldOptions,
} from '../../index.ts'

/** The fixture of tests. */
export interface TestOptions {
  /** How the server starts; the variable VENDOR_CLOUD_URL names one that runs, in its place. */
  server?: VendorCloudOptions
  /** The origin of each test's world. */
  world?: WorldOptions
  /** Folder for the recorded cases of tests that fail, `failed-cases` unless told; false: nothing is recorded. */
  cases?: string | false
}

/** The fixture of a test. */
export interface WorldContext {
  /** A world of the test's own; its journal is printed and its case saved when the test fails. */
  world: VendorCloudWorld
}

/** Seconds of real time after which a world goes that a broken run has left behind. */
const FORGOTTEN = 3600
/** Newest entries of the journal that are printed. */
const MOST = 100

/** A server, and a world of it for each test. It starts with the first test that asks for one. */
export function createTestWorlds({ server: options = {}, world: plan, cases = 'failed-cases' }: TestOptions = {}) {
  let server: Promise<VendorCloud> | undefined
  return {
    /** A world that lists show by the title of its test. */
    async begin(title: string): Promise<VendorCloudWorld> {
      server ??= openVendorCloud({ unref: true, ...options })
      const name = toWorldName(title)
      return (await server).world({ name, expiresIn: FORGOTTEN, record: cases !== false, ...plan })
    },

    /** Deletes the world of a test; of one that failed, by its whole title, it prints what the world was asked. */
    async end(world: VendorCloudWorld, failed?: readonly string[]): Promise<string | undefined> {
      const told = failed && (await tell(world, failed, cases))
      if (told !== undefined) process.stderr.write(toPrintable(told))
      // The test may have deleted it itself.
      await world.delete().catch(() => {})
      return told
    },

    async stop(): Promise<void> {
      await (await server)?.stop()
      server = undefined
    },
  }
}

/** For the person who reads why a test failed; what cannot be had takes nothing from that failure. */
async function tell(world: VendorCloudWorld, title: readonly string[], cases: string | false): Promise<string> {
  const say = ({ message }: Error) => `${message}\n`
  const journal = await describeJournal(world).catch(say)
  const saved = cases === false ? '' : await saveCase(world, join(cases, toFileName(title))).catch(say)
  return `\n"${title.join(' > ')}" failed. ${journal}${saved}`
}

/** The requests to the world, oldest first. */
async function describeJournal(world: VendorCloudWorld): Promise<string> {
  const entries = await world.journal({ limit: MOST })
  const lines = entries.toReversed().map((entry) => `  ${toLine(entry)}`)
  const what = entries.length < MOST ? 'Its journal' : `The newest ${MOST} entries of its journal`
  return lines.length === 0 ? 'It asked nothing.\n' : `${what}:\n${lines.join('')}`
}

/** Nothing of a test that asked nothing: its header alone shows nobody anything. */
async function saveCase(world: VendorCloudWorld, file: string): Promise<string> {
  if ((await world.journal({ limit: 1 })).length === 0) return ''
  await world.saveCase(file)
  const page = await saveCasePage(file).then(
    (name) => `Its page, for a browser: ${name}\n`,
    ({ message }: Error) => `It has no page: ${message}\n`,
  )
  return `Its case, for vendor-cloud replay: ${file}\n${page}`
}

function toFileName(title: readonly string[]): string {
  const name = title.join(' ').replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  return `${name.toLowerCase().slice(0, 100)}.jsonl`
}

/** A repeated test has another world, and so have tests of one title in files that run at once. */
function toWorldName(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  const own = crypto.randomUUID().slice(0, 8)
  return `${words.slice(0, 50)}-${own}`.replace(/^-+/, '').replaceAll(/--+/g, '-')
}
