import { openProgress } from '../../src/server/domain/progress.ts'
import type { Store } from '../../src/server/ports/store.ts'
import type { RecordOf } from '../../src/contract/records/collections.ts'

/**
 * The records are valid, and their IDs do not occur in the fixtures. A test overrides only the fields that matter to
 * it.
 */
const OPENED = '2026-05-01T12:00:00.000Z'

export function newProfile(more: Partial<RecordOf<'profiles'>> = {}): RecordOf<'profiles'> {
  return {
    userId: 'profile:dealer-tess',
    firstName: 'Tess',
    lastName: 'Tester',
    email: 'tess@example.com',
    companyId: 'T100',
    ...more,
  }
}

export function newCustomer(more: Partial<RecordOf<'customers'>> = {}): RecordOf<'customers'> {
  const { firstName = 'Pat', lastName = 'Doe', zipCode = '07660' } = more
  return {
    bpNo: '9100000001',
    companyId: 'T100',
    firstName,
    lastName,
    firstNameKey: firstName.toLowerCase(),
    lastNameKey: lastName.toLowerCase(),
    email: 'pat@example.com',
    phoneNumber: '+12015550143',
    address1: '12 Main Street',
    city: 'Ridgefield Park',
    state: 'NJ',
    zipCode,
    zip5: zipCode.slice(0, 5),
    country: 'US',
    createdAt: OPENED,
    updatedAt: OPENED,
    ...more,
  }
}

export function newProductModel(more: Partial<RecordOf<'productModels'>> = {}): RecordOf<'productModels'> {
  return {
    modelCode: 'VM-TEST1',
    modelName: 'Test Television 55',
    subType: 'TV',
    category: 'TV-LED',
    bespoke: false,
    warrantyMonths: 12,
    colors: [],
    ...more,
  }
}

export function newRegisteredProduct(
  more: Partial<RecordOf<'registeredProducts'>> = {},
): RecordOf<'registeredProducts'> {
  return {
    productId: 'P-TEST-1',
    bpNo: '9100000001',
    companyId: 'T100',
    modelCode: 'VM-TEST1',
    serialNumber: '0TEST123456',
    purchaseDate: '2026-03-01',
    serviceType: 'IH',
    subType: 'TV',
    category: 'TV-LED',
    warrantyEndDate: '2027-03-01',
    registeredAt: OPENED,
    ...more,
  }
}

export function newTicket(more: Partial<RecordOf<'tickets'>> = {}): RecordOf<'tickets'> {
  const { createdAt = OPENED, bpNo = '9100000001', companyId = 'T100', phoneNumber = '+12015550143' } = more
  const { firstNameKey: _, lastNameKey: __, zip5: ___, ...customer } = newCustomer({ bpNo, companyId, phoneNumber })
  return {
    ...openProgress(createdAt, 'created'),
    srid: '9410000001',
    ticketNumber: '9720000001',
    serviceType: 'IH',
    bpNo,
    companyId,
    phoneNumber,
    customer,
    modelCode: 'VM-TEST1',
    serialNumber: '0TEST123456',
    symptoms: [],
    previousAppointments: [],
    inWarranty: true,
    images: [],
    createdAt,
    updatedAt: createdAt,
    ...more,
  }
}

export function newStore(more: Partial<RecordOf<'stores'>> = {}): RecordOf<'stores'> {
  return {
    storeId: 'S-TEST-1',
    storeNumber: '9001',
    storeName: 'Test Store',
    storePhone: '+12015550199',
    companyId: 'T100',
    address1: '1 Test Plaza',
    city: 'Ridgefield Park',
    state: 'NJ',
    zipCode: '07660',
    lat: 40.85,
    lng: -74.02,
    timeZone: 'America/New_York',
    hours: [{ dayOfWeek: 1, open: '09:00', close: '18:00' }],
    closedDates: [],
    services: ['REPAIR'],
    ...more,
  }
}

/** These companies do not exist in the fixtures, so a test sees only its own records. */
export async function putTestDealers(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.profiles.put(newProfile())
    await tx.profiles.put(newProfile({ userId: 'profile:dealer-toby', firstName: 'Toby', companyId: 'T200' }))
    await tx.profiles.put(newProfile({ userId: 'profile:no-dealer', firstName: 'Nora', companyId: undefined }))
  })
}
