import type { CollectionName } from '../../contract/records/collections.ts'
import type { CustomerRecord } from '../../contract/records/dealer/customer.ts'
import type { RegisteredProduct } from '../../contract/records/dealer/product.ts'
import type { Ticket } from '../../contract/records/dealer/ticket.ts'
import { utcDate } from '../../contract/records/local-times.ts'
import { type Fixture, type Fixtures, resolveFixtures } from './fixtures.ts'
import { findResolve } from './relative-dates.ts'

const CUSTOMERS = 20_000
const TICKETS = 100_000
/** Three years; whole weeks leave weekends where they were. */
const MOST_WEEKS = 156

/**
 * The fixtures, and behind them as many customers, each with a product and its tickets, as make 20,000 customers and
 * 100,000 tickets over three years. Made ones follow from their number: every start has the same. A made ticket is a
 * closed one of the fixtures, some weeks earlier, and its customer lives where that one's does.
 */
export function enlargeFixtures(small: Fixtures): Fixtures {
  return {
    ...small,
    name: 'large',
    *further(name, now) {
      if (name === 'customers') for (const household of listHouseholds(small, now)) yield household.customer
      if (name === 'registeredProducts') for (const household of listHouseholds(small, now)) yield household.product
      if (name === 'productUnits') for (const household of listHouseholds(small, now)) yield toUnit(household.product)
      if (name === 'tickets') for (const household of listHouseholds(small, now)) yield* toTickets(household)
    },
  }
}

interface Household {
  /** From 0, among all that are made. */
  number: number
  customer: CustomerRecord & Fixture
  product: RegisteredProduct & Fixture
  /** A closed ticket, so many weeks before. */
  closed: (weeks: number) => Omit<Ticket, 'customer'>
  count: number
}

function* listHouseholds(small: Fixtures, now: number): Generator<Household> {
  const read = <T>(name: CollectionName) => [...resolveFixtures(small, name, now)] as (T & Fixture)[]
  const [customers, tickets] = [read<CustomerRecord>('customers'), read<Ticket>('tickets')]
  const live = new Map(customers.map((each) => [each.bpNo, toEarlier(each)(MOST_WEEKS)]))
  const owned = read<RegisteredProduct>('registeredProducts').map(toEarlier)
  const bought = new Map(owned.map((each) => each(MOST_WEEKS)).map((each) => [each.serialNumber, each]))
  const models = tickets
    .filter(({ status, serviceType }) => status === 'E0003' && serviceType !== 'DS')
    .map(({ customer: _, ...ticket }) => {
      const { bpNo, serialNumber } = ticket
      return { closed: toEarlier(ticket), neighbour: live.get(bpNo)!, product: bought.get(serialNumber)! }
    })
  const [made, missing] = [CUSTOMERS - customers.length, TICKETS - tickets.length]
  for (let number = 0; number < made; number++) {
    const { closed, neighbour, product } = models[number % models.length]!
    const [first, last] = [customers[(number * 7) % customers.length]!, customers[(number * 11) % customers.length]!]
    const customer = toCustomer(neighbour, first.firstName, last.lastName, number)
    const count = Math.floor((missing * (number + 1)) / made) - Math.floor((missing * number) / made)
    yield { number, customer, product: toProduct(product, customer.bpNo, number), closed, count }
  }
}

function toCustomer(neighbour: CustomerRecord, firstName: string, lastName: string, number: number): CustomerRecord {
  const house = 1 + ((number * 13) % 980)
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

/** Bought before the earliest of its tickets: it is moved by most weeks. */
function toProduct({ imei: _, ...product }: RegisteredProduct, bpNo: string, number: number): RegisteredProduct {
  const code = number.toString(36).toUpperCase().padStart(5, '0')
  const serialNumber = `${product.serialNumber!.slice(0, 5)}L${code}`
  return { ...product, productId: `P-LARGE${code}`, bpNo, serialNumber }
}

function toUnit({ serialNumber, modelCode, purchaseDate }: RegisteredProduct): Fixture {
  return { prdId: serialNumber, modelCode, soldAt: purchaseDate }
}

function* toTickets({ number, customer, product, closed, count }: Household): Generator<Fixture> {
  const { firstNameKey: _, lastNameKey: __, zip5: ___, ...shown } = customer
  for (let nth = 0; nth < count; nth++) {
    const ticket = closed(Math.floor(((nth + ((number * 17) % 89) / 89) * MOST_WEEKS) / count))
    const order = 2 * number * Math.ceil(TICKETS / CUSTOMERS) + nth
    yield {
      ...ticket,
      srid: scatter(order, 1),
      ticketNumber: scatter(order, 2),
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

/** Ten digits that are told apart by their order and do not follow each other: the prime is that of the space. */
function scatter(order: number, series: number): string {
  return String(5_000_000_000 + series * 1_000_000_000 + ((order * 7_368_787 + series) % 999_999_937))
}

const WEEK = 7 * 24 * 60 * 60 * 1000
const DATE = /^\d{4}-\d\d-\d\d(?=$|T)/

/** Gives a value with all its dates and instants so many weeks before. */
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

/** Three years have few days, and writing one costs a microsecond. */
function writeDay(instant: number): string {
  const day = days.get(instant) ?? utcDate(instant)
  days.set(instant, day)
  return day
}
