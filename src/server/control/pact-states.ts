import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import process from 'node:process'
import { pactStateOperations, type PactState, pactStates, type PactStateValues } from '#contract/control/snapshots.ts'
import { walletOperations } from '#contract/documents/wallet/availability.ts'
import { clockInstant } from '#contract/records/control/clock.ts'
import { soapOperations } from '#contract/records/control/fault.ts'
import { knownFixtures } from '#contract/records/known-fixtures.ts'
import { findNearest } from '#contract/records/nearest.ts'
import { LARGEST_SNAPSHOT } from '#contract/records/snapshot.ts'
import { createServiceToken } from '../domain/billing/service-tokens.ts'
import { addFault } from '../chaos/faults.ts'
import { DomainError, finding, invalidInput, notFound } from '../domain/errors.ts'
import type { KnownPath } from '../http/known-paths.ts'
import type { Ports } from '../ports.ts'
import type { ClockControl, ClockState } from '../ports/clock.ts'
import type { Worlds } from '../ports/worlds.ts'
import { type ControlContext, implementControl } from './context.ts'
import { readOperation } from '../chaos/known-operations.ts'
import { restoreSnapshot } from './snapshots.ts'

/** Pact verifiers call this address before and after each interaction. */
export function pactStateRoutes({ worlds }: ControlContext) {
  /** The original state of each clock that a pact state has changed. */
  const clocks = new WeakMap<ClockControl, ClockState>()
  return implementControl(pactStateOperations, {
    changePactState: async ({ ports, body: { state = '', states = [], action } = {}, server }) => {
      const names = new Set([state, ...states].map((name) => name.trim()))
      const setUps = [...names].filter((name) => name !== '').map(findState)
      const values: PactStateValues = {}
      if (action === 'teardown') {
        if (setUps.length > 0) await tearDown(ports, clocks)
        return values
      }
      const { name } = ports.world
      for (const setUp of setUps) {
        // A previous pact state may have reset or restored the world, so its ports are looked up again.
        const current = worlds.find(name)
        if (!current) throw notFound(`world ${name} does not exist`, 'our choice: world-names')
        const work = { worlds, ports: current, clocks, known: server.knownPaths.list() }
        Object.assign(values, await setUp(work).catch(rejectState))
      }
      return values
    },
  })
}

/** Always returns 400, whichever rule rejects the state, because the verifier's request is wrong. */
function rejectState(error: unknown): never {
  if (!(error instanceof DomainError) || !['not-found', 'conflict'].includes(error.code)) throw error
  throw invalidState(`cannot be set up: ${error.message}`)
}

interface Work {
  worlds: Worlds
  ports: Ports
  clocks: WeakMap<ClockControl, ClockState>
  known: readonly KnownPath[]
}

type SetUp = (work: Work, value: string) => Promise<PactStateValues | undefined>

const states: Readonly<Record<PactState, [form: RegExp, setUp: SetUp]>> = {
  'the default fixtures': [/^the default fixtures()$/i, resetWorld],
  'operation N is unavailable': [/^operation (.+) is unavailable$/i, failOperation],
  'the clock is at INSTANT': [/^the clock is at (\S+)$/i, pauseClock],
  'snapshot FILE': [/^snapshot (.+)$/i, restoreFile],
}

function findState(state: string): (work: Work) => Promise<PactStateValues | undefined> {
  for (const [form, setUp] of Object.values(states)) {
    const value = form.exec(state)?.[1]
    if (value !== undefined) return (work) => setUp(work, value)
  }
  const nearest = findNearest(state, pactStates)
  const hint = nearest ? `. The nearest is: ${nearest}` : ''
  throw invalidState(`is not a known state: ${state.slice(0, 100)}. Known states: ${pactStates.join('; ')}${hint}`)
}

async function resetWorld({ worlds, ports: { world } }: Work) {
  const ports = await worlds.reset(world.name)
  const [secret = ''] = knownFixtures.sellers
  return (await ports.store.sellers.get(secret)) ? { serviceToken: await createServiceToken(ports, secret) } : {}
}

/** Prefix of the names of faults that a pact state has created. Teardown finds these faults by this prefix. */
const FAULT_PREFIX = 'pact: '

async function failOperation({ ports, known }: Work, value: string): Promise<undefined> {
  const operation = readOperation(value, 'body.state', known)!
  const name = `${FAULT_PREFIX}operation ${operation} is unavailable`
  await addFault(ports, { match: { operation }, name, respond: toFailure(String(operation)) })
}

function toFailure(operation: string) {
  if ((soapOperations as readonly string[]).includes(operation)) return { fault: -1 as const }
  return operation in walletOperations ? { resultCode: 'CMN4N8003' as const } : { status: 503 }
}

async function pauseClock({ ports: { clockControl }, clocks }: Work, value: string): Promise<undefined> {
  const instant = clockInstant.safeParse(value)
  if (!instant.success) throw invalidState(`names ${value.slice(0, 100)}, which ${instant.error.issues[0]?.message}`)
  if (!clocks.has(clockControl)) clocks.set(clockControl, clockControl.read())
  await clockControl.set({ now: Date.parse(instant.data), frozen: true })
}

async function tearDown({ clockControl, faults }: Ports, clocks: Work['clocks']): Promise<void> {
  for (const { name, faultId } of faults.list()) if (name?.startsWith(FAULT_PREFIX)) faults.delete(faultId)
  const before = clocks.get(clockControl)
  if (!before) return
  clocks.delete(clockControl)
  const { now, frozen, offsetMs } = before
  if (frozen) await clockControl.set({ now, frozen })
  else if (offsetMs === 0) await clockControl.reset()
  else await clockControl.set({ now: clockControl.read().realNow + offsetMs, frozen })
}

async function restoreFile({ worlds, ports, known }: Work, file: string): Promise<undefined> {
  const bytes = await readBelow(process.cwd(), file)
  await restoreSnapshot(worlds, ports, bytes, known)
}

/** Reads only files below the working directory. Error messages do not include the content of the file. */
async function readBelow(folder: string, file: string): Promise<Buffer> {
  if (isAbsolute(file) || /^[a-z]:|\0/i.test(file) || file.split(/[\\/]/).includes('..')) {
    throw invalidState('must be a path below the working directory of the server, and must not contain ..')
  }
  const missing = () => {
    throw invalidState('names a file that cannot be read')
  }
  const root = await realpath(folder)
  const path = await realpath(join(root, file)).catch(missing)
  // A symbolic link may refer to a file outside of the folder.
  if (isAbsolute(relative(root, path)) || relative(root, path).split(sep)[0] === '..') missing()
  const found = await stat(path).catch(missing)
  // Rejects files such as named pipes, whose content would never end.
  if (!found.isFile()) missing()
  if (found.size > LARGEST_SNAPSHOT) throw invalidState(`names a file that is larger than ${LARGEST_SNAPSHOT} bytes`)
  return readFile(path).catch(missing)
}

function invalidState(rule: string): DomainError {
  return invalidInput([finding('body.state', rule, { source: 'our choice: control-refusals' })])
}
