import { soapOperations } from '../../../contract/records/control/fault.ts'
import { type PactState, pactStates, type PactStateValues } from '../../../contract/records/control/pact-state.ts'
import { readyMadeNames } from '../../../contract/records/control/ready-made.ts'
import { profileOrName } from '../../../contract/records/control/vendor-profile.ts'
import { clockInstant } from '../../../contract/records/control/clock.ts'
import { walletOperations } from '../../../contract/documents/wallet/availability.ts'
import { knownFixtures } from '../../../contract/records/known-fixtures.ts'
import { findNearest, sayNearest } from '../../../contract/records/nearest.ts'
import type { TicketStatus } from '../../../contract/records/progress.ts'
import { cancelPurchase } from '../../domain/billing/purchases.ts'
import { createServiceToken } from '../../domain/billing/service-tokens.ts'
import { addFault } from '../../domain/control/faults.ts'
import { setProfile } from '../../domain/control/profiles.ts'
import { fillSlot } from '../../domain/control/pact/full-slots.ts'
import { holdClock, toFaultName } from '../../domain/control/pact/set-back.ts'
import { createTicketInStatus } from '../../domain/control/pact/tickets-in-status.ts'
import { type DomainError, finding, invalidInput, notFound } from '../../domain/errors.ts'
import type { KnownPath } from '../../http/known-paths.ts'
import type { Ports } from '../../ports.ts'
import type { Worlds } from '../../ports/worlds.ts'
import { toKnownProfile } from '../choices.ts'
import { readOperation } from '../known-operations.ts'
import { restoreFile } from './snapshot-files.ts'

export interface StateWork {
  worlds: Worlds
  /** A reset or restored world has other ports, so the work keeps its name and looks the ports up. */
  name: string
  known: readonly KnownPath[]
}

type SetUp = (work: StateWork) => Promise<PactStateValues>
type Work = StateWork & { ports: Ports; state: string }

/** Maps the text of each state to its pattern, and to the work that sets it up with the values in its place. */
const states: Readonly<
  Record<PactState, [form: RegExp, setUp: (work: Work, ...values: string[]) => Promise<PactStateValues>]>
> = {
  'the default fixtures': [
    /^the default fixtures$/i,
    async ({ worlds, name }) => {
      const ports = await worlds.reset(name)
      const [secret = ''] = knownFixtures.sellers
      return (await ports.store.sellers.get(secret)) ? { serviceToken: await createServiceToken(ports, secret) } : {}
    },
  ],
  'operation N is unavailable': [/^operation (.+) is unavailable$/i, makeUnavailable],
  'the clock is at INSTANT': [
    /^the clock is at (\S+)$/i,
    async ({ ports }, instant) => {
      await holdClock(ports, Date.parse(readInstant(instant!)))
      return {}
    },
  ],
  'purchase ID is cancelled': [/^purchase (\S+) is cancell?ed$/i, cancel],
  'the slot DATE TIME at ASC is full': [
    /^the slot (\d{4}-\d\d-\d\d) (\d\d:\d\d) at (\S+) is full$/i,
    async ({ ports }, date, time, ascCode) => {
      await fillSlot(ports, { date: date!, time: time!, ascCode: ascCode! })
      return {}
    },
  ],
  'a ticket in status S for BPNO': [
    /^a ticket in status (E000[123]) for (\d+)$/i,
    async ({ ports }, status, bpNo) => {
      const { srid, ticketNumber } = await createTicketInStatus(ports, status!.toUpperCase() as TicketStatus, bpNo!)
      return { srid, ticketNumber }
    },
  ],
  'profile NAME': [
    /^profile (\S+)$/i,
    async ({ ports, known }, name) => {
      const read = profileOrName.safeParse(name)
      if (!read.success) throw refused(`names profile ${name}${sayNearest(name!, readyMadeNames)}`)
      await setProfile(ports, toKnownProfile(read.data, 'body.state', known))
      return {}
    },
  ],
  'snapshot FILE': [
    /^snapshot (.+)$/i,
    async ({ ports, worlds, known }, file) => {
      await restoreFile({ worlds, ports, known }, file!)
      return {}
    },
  ],
}

/** Throws where no state has these words. */
export function findState(state: string): SetUp {
  for (const [form, setUp] of Object.values(states)) {
    const [, ...values] = form.exec(state) ?? [null]
    if (values.length > 0 || form.test(state)) {
      return async (work) => setUp({ ...work, state, ports: portsOf(work) }, ...(values as string[]))
    }
  }
  const nearest = findNearest(state, pactStates)
  throw refused(
    `is no state: ${state.slice(0, 100)}; there is ${pactStates.join('; ')}${nearest ? `. The nearest is: ${nearest}` : ''}`,
  )
}

function portsOf({ worlds, name }: StateWork): Ports {
  const ports = worlds.find(name)
  if (!ports) throw notFound(`no world is named ${name}`, 'our choice: world-names')
  return ports
}

async function makeUnavailable({ ports, known, state }: Work, given?: string): Promise<PactStateValues> {
  const operation = readOperation(given, 'body.state', known)!
  await addFault(ports, { match: { operation }, name: toFaultName(state), respond: failureOf(String(operation)) })
  return {}
}

/** Each document has a dialect of its own for failures. */
function failureOf(operation: string) {
  if ((soapOperations as readonly string[]).includes(operation)) return { fault: -1 as const }
  return operation in walletOperations ? { resultCode: 'CMN4N8003' as const } : { status: 503 }
}

async function cancel({ ports }: Work, purchaseID?: string): Promise<PactStateValues> {
  const purchase = await ports.store.purchases.get(purchaseID!)
  if (!purchase) throw refused(`names purchase ${purchaseID}; there is none`)
  if (!purchase.cancellation) await cancelPurchase(ports, purchaseID!, '1')
  return { purchaseID: purchaseID!, serviceToken: await createServiceToken(ports, purchase.sellerSecret) }
}

function readInstant(given: string): string {
  const read = clockInstant.safeParse(given)
  if (read.success) return read.data
  const { message } = read.error.issues[0]!
  throw refused(`names ${given.slice(0, 100)}, which ${message}`)
}

function refused(rule: string): DomainError {
  return invalidInput([finding('body.state', rule, { source: 'our choice: control-refusals' })])
}
