import type { CollectionName } from '../../../../contract/records/collections.ts'
import type { WorldClient } from '../../../control-client/world-client.ts'
import type { Call } from '../../calls/call.ts'
import { fieldOf } from '../call-places.ts'
import { findCompany, findRecord, listRecords, profileKeyOf, valuesOf } from './records.ts'

type List = (fork: WorldClient, call: Call) => Promise<string[]>

const all =
  (collection: CollectionName, field: string): List =>
  async (fork) =>
    valuesOf(await listRecords(fork, collection), field)

/** A dealer may see records of the own company alone. */
const ofCompany =
  (collection: CollectionName, field: string): List =>
  async (fork, call) =>
    valuesOf(await listRecords(fork, collection, { companyId: await findCompany(fork, call) }), field)

const ofModel = async (fork: WorldClient, call: Call): Promise<string | undefined> => {
  const model = await findRecord(fork, 'productModels', fieldOf(call, 'modelCode') ?? '')
  return fieldOf(call, 'subType') ?? (model?.subType as string | undefined)
}

/** A symptom of one level is only valid below the symptom of the level above. */
const symptoms =
  (level: number, above: string | undefined): List =>
  async (fork, call) => {
    const parent = above === undefined ? undefined : fieldOf(call, above)
    const subType = await ofModel(fork, call)
    const below = parent === undefined ? [] : await listRecords(fork, 'symptoms', { parentCode: parent })
    return valuesOf(below.length > 0 ? below : await listRecords(fork, 'symptoms', { subType, level }), 'code')
  }

const tickets: List = async (fork, call) => {
  if (call.operation?.scope !== 'dealers') return requestsOf(fork, call, 'srid')
  const companyId = await findCompany(fork, call)
  const open = call.method === 'GET' ? [] : await listRecords(fork, 'tickets', { companyId, status: 'E0001' })
  return valuesOf([...open, ...(await listRecords(fork, 'tickets', { companyId }))], 'srid')
}

async function requestsOf(fork: WorldClient, call: Call, field: string): Promise<string[]> {
  const userId = profileKeyOf(call)
  return valuesOf(await listRecords(fork, 'inStoreRequests', { userId }), field)
}

const products: List = async (fork, call) => {
  const bpNo = fieldOf(call, 'bpNo') ?? fieldOf(call, 'customerId')
  return valuesOf(await listRecords(fork, 'registeredProducts', { bpNo }), 'serialNumber')
}

const lists: Readonly<Record<string, List>> = {
  bpNo: ofCompany('customers', 'bpNo'),
  customerId: ofCompany('customers', 'bpNo'),
  srid: tickets,
  srId: tickets,
  ticketNumber: ofCompany('tickets', 'ticketNumber'),
  modelCode: all('productModels', 'modelCode'),
  subType: all('productModels', 'subType'),
  ascCode: all('serviceCenters', 'ascCode'),
  ascType: all('serviceCenters', 'ascType'),
  zipCode: async (fork, call) => [
    ...valuesOf(await listRecords(fork, 'customers', { companyId: await findCompany(fork, call) }), 'zip5'),
  ],
  symCode1: symptoms(1, undefined),
  symCode2: symptoms(2, 'symCode1'),
  symCode3: symptoms(3, 'symCode2'),
  symCode4: symptoms(4, 'symCode3'),
  symptomLevel1: symptoms(1, undefined),
  symptomLevel2: symptoms(2, 'symptomLevel1'),
  symptomLevel3: symptoms(3, 'symptomLevel2'),
  symptoms: all('inStoreSymptoms', 'symptomId'),
  symptomId: all('inStoreSymptoms', 'symptomId'),
  taxonomyCode: all('taxonomies', 'taxonomyCode'),
  upperTaxonomyCode: all('taxonomies', 'taxonomyCode'),
  storeNumber: ofCompany('stores', 'storeNumber'),
  storeId: ofCompany('stores', 'storeId'),
  companyId: async (fork, call) => [(await findCompany(fork, call)) ?? []].flat(),
  receiptFileKey: ofCompany('receiptFiles', 'receiptFileKey'),
  reasonId: all('contactReasons', 'reasonId'),
  serial: products,
  serialNumber: products,
  deviceId: all('productUnits', 'prdId'),
  prdId: all('productUnits', 'prdId'),
  purchaseID: all('purchases', 'purchaseID'),
  modelName: all('deviceModels', 'modelName'),
  partnerCode: all('partners', 'partnerCode'),
}

/** A path's `id` means another collection in each operation. */
const ids: Readonly<Record<string, List>> = {
  5: all('productCategories', 'id'),
  13: ofCompany('customers', 'bpNo'),
  14: ofCompany('customers', 'bpNo'),
  20: tickets,
}

/** Gives undefined where the field names no record. */
export async function listKnown(fork: WorldClient, call: Call, name: string): Promise<string[] | undefined> {
  const list =
    name === 'id' ? ids[String(call.operation?.operation)] : Object.hasOwn(lists, name) ? lists[name] : undefined
  return list?.(fork, call)
}
