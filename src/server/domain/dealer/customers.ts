import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type { Customer, CustomerChanges, CustomerDraft, CustomerRecord } from '#contract/records/dealer/customer.ts'
import { findPhoneNumber } from '#contract/records/formats.ts'
import { finding, invalidInput, notFound } from '../errors.ts'
import type { Dealer } from '../identity.ts'
import { firstUnused, newTenDigitIds } from '../ids.ts'
import type { Filters } from '../paging.ts'

export type CustomerSearch = Filters<'firstName' | 'lastName' | 'zipCode' | 'phoneNumber' | 'bpNo'>

/** Returns the matching customer that has the lowest bpNo, and the number of all matching customers. */
export async function searchCustomers(
  { store }: Ports,
  { companyId }: Dealer,
  search: CustomerSearch,
): Promise<{ customer: Customer; totalCount: number }> {
  const where = { companyId, ...conditionsOf(search) }
  const [first] = await store.customers.find({ where, limit: 1 })
  if (!first) throw notFound('no customer of your company matches', 'our choice: customer-search')
  return { customer: toCustomer(first), totalCount: await store.customers.count(where) }
}

export async function createCustomer(ports: Ports, { companyId }: Dealer, draft: CustomerDraft): Promise<Customer> {
  assertAddress(ports, draft)
  const at = new Date(ports.clock.now()).toISOString()
  const candidates = await newTenDigitIds(ports.random, 'bpNo')
  return ports.store.transaction(async (tx) => {
    const bpNo = await firstUnused(candidates, async (id) => Boolean(await tx.customers.get(id)))
    // The spread of the draft comes last, because adding fields after a spread is slow in V8.
    const created: Customer = { bpNo, country: 'US', createdAt: at, updatedAt: at, ...draft, companyId }
    await tx.customers.put(toCustomerRecord(created))
    return created
  })
}

/** Operation 13. Absent fields remain unchanged, and null clears a field. */
export async function editCustomer(
  ports: Ports,
  dealer: Dealer,
  id: string,
  given: CustomerChanges,
): Promise<Customer> {
  const { bpNo, ...changes } = given
  const updatedAt = new Date(ports.clock.now()).toISOString()
  return ports.store.transaction(async (tx) => {
    const customer = toCustomer(await requireCustomer(tx, dealer, id, bpNo))
    const merged = { ...customer, ...changes, companyId: dealer.companyId, updatedAt }
    const edited = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as Customer
    assertAddress(ports, edited, changes)
    await tx.customers.put(toCustomerRecord(edited))
    return edited
  })
}

/** The 404 for another company's customer is the same as for an unknown customer. */
export async function requireCustomer(
  { customers }: View,
  { companyId }: Dealer,
  bpNo: string,
  alsoNamed: string = bpNo,
): Promise<CustomerRecord> {
  const customer = alsoNamed === bpNo ? await customers.get(bpNo) : undefined
  if (customer?.companyId === companyId) return customer
  const choice = alsoNamed === bpNo ? 'foreign-is-unknown' : 'customer-number'
  throw notFound('no customer of your company has this bpNo', `our choice: ${choice}`)
}

export function toCustomer(record: CustomerRecord): Customer {
  const { firstNameKey: _, lastNameKey: __, zip5: ___, ...customer } = record
  return customer
}

function toCustomerRecord(customer: Customer): CustomerRecord {
  const { firstNameKey, lastNameKey, zip5 } = toSearchFields(customer)
  return { firstNameKey, lastNameKey, zip5, ...customer }
}

export function toSearchFields({ firstName, lastName, zipCode }: Pick<Customer, 'firstName' | 'lastName' | 'zipCode'>) {
  return { firstNameKey: toNameKey(firstName), lastNameKey: toNameKey(lastName), zip5: zipCode.slice(0, 5) }
}

/** Operation 6 declares no 400: malformed values match nothing. Five digits also match ZIP+4 codes. */
function conditionsOf({ firstName, lastName, zipCode, phoneNumber, bpNo }: CustomerSearch) {
  return {
    bpNo,
    firstNameKey: firstName === undefined ? undefined : toNameKey(firstName),
    lastNameKey: lastName === undefined ? undefined : toNameKey(lastName),
    phoneNumber: phoneNumber === undefined ? undefined : (findPhoneNumber(phoneNumber) ?? []),
    ...(zipCode?.length === 5 ? { zip5: zipCode } : { zipCode }),
  }
}

function toNameKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}

type Address = Pick<Customer, 'city' | 'state' | 'zipCode'>

const ruled = { source: 'our choice: address-check' } as const

/** The city is unchecked by default, because people use names such as Manhattan. Reports only fields that were sent. */
export function assertAddress(
  { zipCodes, world: { choices } }: Pick<Ports, 'zipCodes' | 'world'>,
  address: Address,
  sent: { readonly [Field in keyof Address]?: unknown } = address,
): void {
  const check = choices['address-check']
  if (check === 'off') return

  const fields = (check === 'city' ? ['state', 'city'] : ['state']) as ('state' | 'city')[]
  const changed = fields.filter((field) => (sent[field] ?? sent.zipCode) !== undefined)
  if (changed.length === 0) return
  const { zipCode } = address
  const place = zipCodes.find(zipCode.slice(0, 5))
  const target = `body.${sent.zipCode === undefined ? changed[0] : 'zipCode'}`
  if (!place) throw invalidInput([finding(target, `belongs to zip code ${zipCode}, which is not in use`, ruled)])
  const findings = changed
    .filter((field) => address[field].toLowerCase() !== place[field].toLowerCase())
    .map((field) =>
      sent[field] === undefined
        ? finding('body.zipCode', `is in ${place[field]}, and the ${field} is ${address[field]}`, ruled)
        : finding(`body.${field}`, `must be ${place[field]} for zip code ${place.zipCode}`, ruled),
    )
  if (findings.length > 0) throw invalidInput(findings)
}
