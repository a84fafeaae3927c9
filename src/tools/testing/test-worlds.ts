import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { describeNoRequests } from '../client/expected-requests.ts'
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
  /** Options of the server. Not used if the variable VENDOR_CLOUD_URL contains the address of a running server. */
  server?: VendorCloudOptions
  world?: WorldOptions
  /** Runs once, before the first test, with a world of its own. The world of each test is then a fork of that world. */
  prepare?: (world: VendorCloudWorld) => unknown
  /** Folder for the cases of failed tests. Default: `failed-cases`. With `false`, nothing is recorded. */
  cases?: string | false
}

export interface WorldContext {
  /** The world of this test. If the test fails, the journal is printed and the case is saved. */
  world: VendorCloudWorld
}

/** Seconds until the worlds of an aborted run expire. */
const FORGOTTEN = 3600
/** Maximum number of journal entries to print. More entries would hide the failure itself. */
const MOST = 100

/** A failed test reports its requests. Returns the report. */
export interface StartedTest extends WorldContext {
  end(hasFailed: boolean): Promise<string | undefined>
}

/** The server is started when the first test requests a world. */
export function createTestWorlds(given: TestOptions = {}) {
  const { server: options = {}, world: plan, prepare, cases = 'failed-cases', ...others } = given
  // In JavaScript, no compiler rejects a misspelled option.
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new TypeError(`${unknown} is not an option of createTest. Use server, world, prepare or cases`)
  let server: Promise<VendorCloud> | undefined
  let source: Promise<VendorCloudWorld> | undefined
  const usedNames = new Set<string>()

  async function prepareSource(
    cloud: VendorCloud,
    fill: NonNullable<TestOptions['prepare']>,
  ): Promise<VendorCloudWorld> {
    const world = await cloud.world({ name: toWorldName('prepared'), expiresIn: FORGOTTEN, ...plan })
    await fill(world)
    return world
  }

  return {
    /**
     * The name of the world contains the title of its test, so that lists of worlds show it. `id` distinguishes tests of
     * several processes whose paths are the same in file names.
     */
    async begin(title: string, path: readonly string[] = [title], id = ''): Promise<StartedTest> {
      // Chosen before the test runs, so that the name does not depend on which other tests fail.
      const file = cases === false ? undefined : join(cases, `${useName(toFileName(path) + id, usedNames)}.jsonl`)
      server ??= openVendorCloud({ unref: true, ...options })
      const cloud = await server
      if (prepare) source ??= prepareSource(cloud, prepare)
      const start = source ? { from: (await source).name } : plan
      const name = toWorldName(title)
      const world = await cloud.world({ name, expiresIn: FORGOTTEN, record: cases !== false, ...start })
      const end = async (hasFailed: boolean) => {
        const told = hasFailed ? await tell(world, path.join(' > '), file) : undefined
        if (told !== undefined) process.stderr.write(toPrintable(told))
        // The test itself may have deleted its world.
        await world.delete().catch(() => {})
        return told
      }
      return { world, end }
    },

    async stop(): Promise<void> {
      // If the server could not be started or the world prepared, the tests have already reported the reason.
      await source?.then((world) => world.delete()).catch(() => {})
      await (await server?.catch(() => undefined))?.stop()
      server = undefined
      source = undefined
    },
  }
}

/** An error while reporting must not replace the failure of the test. */
async function tell(world: VendorCloudWorld, name: string, file: string | undefined): Promise<string> {
  const say = ({ message }: Error) => `${message}\n`
  const journal = await describeJournal(world).catch(say)
  const faults = await describeUnusedFaults(world).catch(say)
  const saved = file === undefined ? '' : await saveCase(world, file, name).catch(say)
  // A world that no longer exists causes the same error three times.
  return `\n"${name}" failed. ${[...new Set([journal, faults, saved])].join('')}`
}

async function describeJournal(world: VendorCloudWorld): Promise<string> {
  const entries = await world.journal({ limit: MOST })
  const lines = entries.toReversed().map((entry) => `  ${toLine(entry)}`)
  const what = entries.length < MOST ? 'Its journal' : `The newest ${MOST} entries of its journal`
  return lines.length === 0 ? `${describeNoRequests(world)}\n` : `${what}:\n${lines.join('')}`
}

/** A fault of the test that matches no request is often the cause of the failure. */
async function describeUnusedFaults(world: VendorCloudWorld): Promise<string> {
  const { items } = await world.faults.list()
  const unused = items.filter(({ hits, profile }) => hits === 0 && profile === undefined)
  const lines = unused.map(({ faultId, name = faultId, match }) => `  ${name} ${JSON.stringify(match)}\n`)
  return lines.length === 0 ? '' : `Faults that no request has triggered:\n${lines.join('')}`
}

/** A world that has received no requests has no case worth saving. */
async function saveCase(world: VendorCloudWorld, file: string, title: string): Promise<string> {
  if ((await world.journal({ limit: 1 })).length === 0) return ''
  await world.saveCase(file)
  const page = await saveCasePage(file, title).then(
    (name) => `Case page (open in a browser): ${name}\n`,
    ({ message }: Error) => `The case page could not be written: ${message}\n`,
  )
  // Double quotes work in POSIX shells and in cmd.
  const argument = /[^\p{L}\p{N}_./\\:-]/u.test(file) ? `"${file}"` : file
  return `Replay the case: npx --no vendor-cloud replay ${argument}\n${page}`
}

function toFileName(title: readonly string[]): string {
  const name = title.join(' ').replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  return name.toLowerCase().slice(0, 100)
}

/** Repeated tests, and tests whose titles differ only in punctuation, get numbers. */
function useName(name: string, usedNames: Set<string>): string {
  let unused = name
  for (let number = 2; usedNames.has(unused); number++) unused = `${name}-${number}`
  usedNames.add(unused)
  return unused
}

/**
 * The name contains a random part, because repeated tests and tests with the same title in parallel files need separate
 * worlds.
 */
function toWorldName(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  const own = randomUUID().slice(0, 8)
  return `${words.slice(0, 50)}-${own}`.replace(/^-+/, '').replaceAll(/--+/g, '-')
}
