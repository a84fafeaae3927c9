import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import { DEVICE_ID_RULE, deviceId, isImei, isMobile } from '#contract/records/device-id.ts'
import type { ProductModel, ProductValidation } from '#contract/records/dealer/product.ts'
import { type Device, findDevice } from '../device-ids.ts'
import { notFound } from '../errors.ts'
import { inWarranty, warrantyEndDate } from '../dealer/warranty.ts'

/** The IDs are unchanged input from the client, so they may be malformed. */
export interface ProductQuestion {
  prdId: string
  modelCode: string
  originPrdId?: string | undefined
}

/** Operation 23. An unknown device of a known model is valid. A known one must have the model. */
export async function validateProduct(ports: Ports, asked: ProductQuestion): Promise<ProductValidation> {
  const { modelCode } = asked
  const prdId = asked.prdId.toUpperCase()
  const device = await findDevice(ports.store, prdId)
  const model = await ports.store.productModels.get(modelCode)
  const reason =
    findFormFault('prdId', prdId) ??
    findMisfit(prdId, modelCode, device, model) ??
    (await findOtherOrigin(ports.store, asked, device))
  if (model && reason === undefined) return toValidation(ports, prdId, device, model)
  return {
    valid: false,
    known: device.modelCode !== undefined,
    reason,
    prdId,
    prdIdType: typeOf(prdId),
    modelCode,
    modelName: model?.modelName ?? '',
    category: model?.category ?? '',
    inWarranty: false,
    warrantyEndDate: null,
    alreadyRegistered: device.registrations.length > 0,
  }
}

/** Operation 24 declares no 400, so a malformed ID returns 404. */
export async function lookUpDevice(ports: Ports, given: string | undefined): Promise<ProductValidation> {
  const { data: prdId } = deviceId.safeParse(given)
  const device = prdId === undefined ? undefined : await findDevice(ports.store, prdId)
  const model = device?.modelCode === undefined ? undefined : await ports.store.productModels.get(device.modelCode)
  if (prdId !== undefined && device && model) return toValidation(ports, prdId, device, model)
  throw notFound('device not found', 'document 1, operation 24')
}

function findFormFault(parameter: string, id: string): string | undefined {
  return deviceId.safeParse(id).success ? undefined : `${parameter} ${DEVICE_ID_RULE}`
}

function findMisfit(
  prdId: string,
  modelCode: string,
  device: Device,
  model: ProductModel | undefined,
): string | undefined {
  if (!model) return `model ${modelCode} does not exist`
  if ((device.modelCode ?? modelCode) !== modelCode) return `prdId belongs to model ${device.modelCode}`
  const isMisplaced = isImei(prdId) && !isMobile(model.subType)
  return isMisplaced ? `prdId is an IMEI, which a ${model.subType} does not have` : undefined
}

/** The other device needs the same model and, if the owners of both devices are known, an owner in common. */
async function findOtherOrigin(
  view: View,
  { originPrdId, modelCode }: ProductQuestion,
  device: Device,
): Promise<string | undefined> {
  if (originPrdId === undefined) return undefined
  const malformed = findFormFault('originPrdId', originPrdId)
  if (malformed) return malformed
  const origin = await findDevice(view, originPrdId.toUpperCase())
  if ((origin.modelCode ?? modelCode) !== modelCode) return `originPrdId belongs to model ${origin.modelCode}`
  const [owners, before] = [ownersOf(device), ownersOf(origin)]
  const isOthers = owners.length > 0 && before.length > 0 && !owners.some((owner) => before.includes(owner))
  return isOthers ? 'originPrdId and prdId are registered to different customers' : undefined
}

function ownersOf({ registrations }: Device): (string | undefined)[] {
  return registrations.map(({ bpNo, userId }) => bpNo ?? userId)
}

/** From the registration, otherwise from the date of sale. Without both, the date is null. */
function toValidation({ clock }: Ports, prdId: string, device: Device, model: ProductModel): ProductValidation {
  const { soldAt, registrations } = device
  const endDate = registrations[0]?.warrantyEndDate ?? (soldAt ? warrantyEndDate(soldAt, model.warrantyMonths) : null)
  return {
    valid: true,
    known: device.modelCode !== undefined,
    prdId,
    prdIdType: typeOf(prdId),
    modelCode: model.modelCode,
    modelName: model.modelName,
    category: model.category,
    inWarranty: endDate !== null && inWarranty(endDate, clock.now()),
    warrantyEndDate: endDate,
    alreadyRegistered: registrations.length > 0,
  }
}

function typeOf(prdId: string): ProductValidation['prdIdType'] {
  return isImei(prdId) ? 'IMEI' : 'SERIAL'
}
