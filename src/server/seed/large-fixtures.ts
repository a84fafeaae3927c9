import type { CollectionName } from '#contract/records/collections.ts'
import type { CustomerRecord } from '#contract/records/dealer/customer.ts'
import type { RegisteredProduct } from '#contract/records/dealer/product.ts'
import type { Ticket } from '#contract/records/dealer/ticket.ts'
import { utcDate } from '#contract/records/local-times.ts'
import type { Digests } from '../ports/chance.ts'
import { type Fixture, type Fixtures, resolveFixture } from './fixtures.ts'
import { findResolve } from './relative-dates.ts'

const CUSTOMERS = 20_000
const TICKETS = 100_000
const WEEK = 7 * 24 * 60 * 60 * 1000
/** Three years in weeks. Moving a date by whole weeks does not change its day of the week. */
const MOST_WEEKS = 156

/**
 * Up to 20,000 customers and 100,000 tickets, which are copies of closed tickets with earlier dates. They depend only
 * on `name`, so they are the same in every process.
 */
export function enlargeFixtures(small: Fixtures, name: string, sha256: Digests['sha256']): Fixtures {
  const list = (now: number) => listHouseholds(small, now, (number) => Buffer.from(sha256(`${name} ${number}`), 'hex'))
  return {
    ...small,
    name,
    *further(collection, now) {
      if (collection === 'customers') for (const household of list(now)) yield household.customer
      if (collection === 'registeredProducts') for (const household of list(now)) yield household.product
      if (collection === 'productUnits') for (const household of list(now)) yield toUnit(household.product)
      if (collection === 'tickets') for (const household of list(now)) yield* toTickets(household)
    },
  }
}

interface Household {
  number: number
  customer: CustomerRecord & Fixture
  product: RegisteredProduct & Fixture
  closed: (weeks: number) => Omit<Ticket, 'customer'>
  /** Weeks between the original ticket and its earliest copy. */
  weeks: number
  count: number
}

/** Each fixture is resolved on first use. Resolving all of them at once would block the server. */
function* listHouseholds(small: Fixtures, now: number, draw: (number: number) => Buffer): Generator<Household> {
  const [customers, tickets] = [small.read('customers').records, small.read('tickets').records]
  const find = <T, Made>(name: CollectionName, key: string, make: (record: T) => Made) => {
    const places = new Map(small.read(name).records.map((record, i) => [record[key], i]))
    return once((value) => make(resolveFixture(small, name, places.get(value)!, now) as T))
  }
  const neighbourOf = find('customers', 'bpNo', (each: CustomerRecord & Fixture) => toEarlier(each)(MOST_WEEKS))
  const productOf = find('registeredProducts', 'serialNumber', (each: RegisteredProduct & Fixture) =>
    toEarlier(each)(MOST_WEEKS),
  )
  const modelOf = find('tickets', 'srid', ({ customer: _, ...ticket }: Ticket) => ({
    closed: toEarlier(ticket),
    weeks: MOST_WEEKS - Math.ceil((now - Date.parse(ticket.createdAt)) / WEEK),
    neighbour: neighbourOf(ticket.bpNo),
    product: productOf(ticket.serialNumber),
  }))
  const models = tickets.filter(({ status, serviceType }) => status === 'E0003' && serviceType !== 'DS')
  const [made, missing] = [CUSTOMERS - customers.length, TICKETS - tickets.length]
  for (let number = 0; number < made; number++) {
    const drawn = draw(number)
    const pick = <T>(list: readonly T[], offset: number) => list[drawn.readUInt32BE(offset) % list.length]!
    const { closed, weeks, neighbour, product } = modelOf(pick(models, 0)['srid'])
    const [firstName, lastName] = [String(pick(customers, 4)['firstName']), String(pick(customers, 8)['lastName'])]
    const house = 1 + (drawn.readUInt32BE(12) % 980)
    const customer = toCustomer(neighbour, { firstName, lastName, house }, number)
    const count = Math.floor((missing * (number + 1)) / made) - Math.floor((missing * number) / made)
    yield { number, customer, product: toProduct(product, customer.bpNo, number), closed, weeks, count }
  }
}

function once<T>(make: (value: unknown) => T): (value: unknown) => T {
  const made = new Map<unknown, T>()
  return (value) => {
    const known = made.get(value) ?? make(value)
    made.set(value, known)
    return known
  }
}

function toCustomer(
  neighbour: CustomerRecord,
  { firstName, lastName, house }: { firstName: string; lastName: string; house: number },
  number: number,
): CustomerRecord {
  return {
    ...neighbour,
    bpNo: `${neighbour.bpNo[0]}${String(100_000 + number).padStart(9, '0')}`,
    firstName,
    lastName,
    email: `customer.${number}@example.com`,
    phoneNumber: `${neighbour.phoneNumber.slice(0, -2)}${String(number % 100).padStart(2, '0')}`,
    address1: neighbour.address1.replace(/^\d+/, String(house)),
    firstNameKey: firstName.toLowerCase(),
    lastNameKey: lastName.toLowerCase(),
  }
}

function toProduct({ imei: _, ...product }: RegisteredProduct, bpNo: string, number: number): RegisteredProduct {
  const code = number.toString(36).toUpperCase().padStart(5, '0')
  const serialNumber = `${product.serialNumber!.slice(0, 5)}L${code}`
  return { ...product, productId: `P-LARGE${code}`, bpNo, serialNumber }
}

function toUnit({ serialNumber, modelCode, purchaseDate }: RegisteredProduct): Fixture {
  return { prdId: serialNumber, modelCode, soldAt: purchaseDate }
}

function* toTickets({ number, customer, product, closed, weeks, count }: Household): Generator<Fixture> {
  const { firstNameKey: _, lastNameKey: __, zip5: ___, ...shown } = customer
  for (let nth = 0; nth < count; nth++) {
    const ticket = closed(Math.floor(((nth + ((number * 17) % 89) / 89) * weeks) / count))
    const order = 2 * number * Math.ceil(TICKETS / CUSTOMERS) + nth
    yield {
      ...ticket,
      srid: scatter(order, 1),
      ticketNumber: scatter(order, 2),
      images: [],
      appointment: { ...ticket.appointment!, appointmentId: `A-${scatter(order, 3)}` },
      bpNo: customer.bpNo,
      customer: shown,
      phoneNumber: customer.phoneNumber,
      serialNumber: product.serialNumber,
      purchaseDate: product.purchaseDate,
      inWarranty: ticket.createdAt.slice(0, 10) <= product.warrantyEndDate!,
    }
  }
}

/** Multiplies modulo a prime, so that the numbers are distinct but not consecutive. */
function scatter(order: number, series: number): string {
  return String(5_000_000_000 + series * 1_000_000_000 + ((order * 7_368_787 + series) % 999_999_937))
}

const DATE = /^\d{4}-\d\d-\d\d(?=$|T)/

function toEarlier<T>(value: T): (weeks: number) => T {
  const resolve = findResolve(value, (text) => {
    const [date] = DATE.exec(text) ?? []
    if (date === undefined) return undefined
    const [day, time] = [Date.parse(date), text.slice(date.length)]
    return (weeks) => writeDay(day - weeks * WEEK) + time
  })
  return (weeks) => (resolve ? resolve(weeks) : value) as T
}

const days = new Map<number, string>()

/** Caches the results, because formatting a day takes a microsecond and three years have few different days. */
function writeDay(instant: number): string {
  const day = days.get(instant) ?? utcDate(instant)
  days.set(instant, day)
  return day
}
