import { type Fixtures, toFixtureList } from '../../../src/server/seed/fixtures.ts'
import type { CollectionName } from '../../../src/contract/records/collections.ts'

/** Initial records of every world. There are only a few of them, so that clients compete for the same records. */
export const CENTER = 'TSC001'
export const SLOT_CAPACITY = 2
export const VISIT_CAPACITY = { AM: 1, PM: 2 } as const
export const USERS = ['ann', 'ben', 'cat'] as const
export const DEALERS = [
  { profile: 'dora', companyId: 'T100', customers: ['9100000001', '9100000002'] },
  { profile: 'dirk', companyId: 'T200', customers: ['9200000001'] },
] as const
export const DAYS = ['2026-05-07', '2026-05-08'] as const
export const TIMES = ['09:00', '10:00'] as const
export const SELLERS = ['100000000001', '200000000002'] as const
export const LOCATIONS = ['11111111-0000-4000-8000-000000000001', '22222222-0000-4000-8000-000000000002'] as const
export const DEVICES = [
  { deviceId: 'aaaaaaaa-0000-4000-8000-000000000001', locationId: LOCATIONS[0] },
  { deviceId: 'aaaaaaaa-0000-4000-8000-000000000002', locationId: LOCATIONS[0] },
  { deviceId: 'bbbbbbbb-0000-4000-8000-000000000001', locationId: LOCATIONS[1] },
] as const
/** The product of this user is registered, so the user may have several open requests at a time. */
export const REGISTERED = { user: 'cat', serialNumber: '0KIOSKCAT01' } as const

const at = '2026-05-01T12:00:00.000Z'
const address = { address1: '2 Test Plaza', city: 'Ridgefield Park', state: 'NJ', zipCode: '07660' }
const model = { modelCode: 'VM-KIOSK1', subType: 'KIOSK', category: 'KIOSK' }

const center = {
  ...address,
  ascCode: CENTER,
  ascType: 'WALKIN',
  ascName: 'Test Service Center',
  phoneNumber: '+12015550198',
  lat: 40.8562,
  lng: -74.023,
  timeZone: 'America/New_York',
  hours: [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({ dayOfWeek, open: '09:00', close: '11:00' })),
  closedDates: [],
  slotMinutes: 60,
  slotCapacity: SLOT_CAPACITY,
  subTypes: ['KIOSK'],
  inHome: { radiusMiles: 20, subTypes: ['KIOSK'], capacity: VISIT_CAPACITY },
}

const profile = (name: string, more: object = {}) => {
  return { userId: `profile:${name}`, firstName: name, lastName: 'Tester', email: `${name}@example.com`, ...more }
}

const customer = (bpNo: string, companyId: string) => {
  const names = { firstName: 'Pat', lastName: 'Doe', firstNameKey: 'pat', lastNameKey: 'doe', email: 'pat@example.com' }
  const rest = { phoneNumber: '+12015550143', country: 'US', zip5: '07660', createdAt: at, updatedAt: at }
  return { bpNo, companyId, ...names, ...address, ...rest }
}

const symptom = (code: string, level: number, parentCode: string | null) => {
  return { code, subType: 'KIOSK', level, parentCode, names: { E: code }, displayOrder: 1 }
}

const registration = {
  ...model,
  productId: 'P-CAT',
  userId: `profile:${REGISTERED.user}`,
  serialNumber: REGISTERED.serialNumber,
  purchaseDate: '2026-03-01',
  serviceType: 'IH',
  warrantyEndDate: '2027-03-01',
  registeredAt: at,
}

const records = new Map<CollectionName, Record<string, unknown>[]>([
  ['companies', DEALERS.map(({ companyId }) => ({ companyId, companyName: companyId }))],
  [
    'profiles',
    [
      ...USERS.map((name) => profile(name, { mobilePhone: '+12015550111' })),
      ...DEALERS.map(({ profile: name, companyId }) => profile(name, { companyId })),
    ],
  ],
  ['customers', DEALERS.flatMap(({ companyId, customers }) => customers.map((bpNo) => customer(bpNo, companyId)))],
  ['productModels', [{ ...model, modelName: 'Kiosk', bespoke: false, warrantyMonths: 12, colors: [] }]],
  ['registeredProducts', [registration]],
  ['serviceCenters', [center]],
  ['symptoms', [symptom('K1', 1, null), symptom('K1-A', 2, 'K1')]],
  ['inStoreSymptoms', [{ symptomId: 'TS1', name: 'Test', bespoke: false, description: 'For tests', hasTsg: false }]],
  [
    'locations',
    LOCATIONS.map((locationId) => ({ locationId, name: 'Home', timeZone: 'America/New_York', rooms: [], hubs: [] })),
  ],
  [
    'devices',
    DEVICES.map((each) => ({
      ...each,
      roomId: 'room',
      name: 'Light',
      status: 'ONLINE',
      components: { main: { switchLevel: { level: { value: 0 } } } },
    })),
  ],
  ['sellers', SELLERS.map((secret) => ({ secret, name: `Seller ${secret}` }))],
])

const lists = new Map([...records].map(([name, list]) => [name, toFixtureList(list)]))
const none = toFixtureList([])

export const smallWorld: Fixtures = { names: [...records.keys()], read: (name) => lists.get(name) ?? none }
