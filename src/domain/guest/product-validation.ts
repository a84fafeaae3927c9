import type { Ports } from '../../ports.ts'
import { deviceId, isImei, isMobile } from '../../schemas/device-id.ts'
import type { ProductModel, ProductValidation } from '../../schemas/dealer/product.ts'
import { type Device, findDevice } from '../device-ids.ts'
import { notFound } from '../errors.ts'
import { inWarranty, warrantyEndDate } from '../dealer/warranty.ts'

/**
 * Operation 23. Our choice: a device that nobody knows is valid when its model is known; one that is known
 * must be of that model, and only a mobile device has an IMEI.
 */
export async function validateProduct(
  ports: Ports,
  { prdId, modelCode }: { prdId: string; modelCode: string },
): Promise<ProductValidation> {
  const device = await findDevice(ports.store, prdId)
  const model = await ports.store.productModels.get(modelCode)
  const fits = model && (device.modelCode ?? modelCode) === modelCode && (isMobile(model.subType) || !isImei(prdId))
  if (fits) return toValidation(ports, prdId, device, model)
  return {
    valid: false,
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

/** Operation 24: by the device alone. What cannot be an id is not found: the operation declares no 400. */
export async function lookUpDevice(ports: Ports, given: string | undefined): Promise<ProductValidation> {
  const { data: prdId } = deviceId.safeParse(given)
  const device = prdId === undefined ? undefined : await findDevice(ports.store, prdId)
  const model = device?.modelCode === undefined ? undefined : await ports.store.productModels.get(device.modelCode)
  if (prdId !== undefined && device && model) return toValidation(ports, prdId, device, model)
  throw notFound('device not found', 'document 1, operation 24')
}

/** Our choice: the warranty runs from the registered purchase, else from the sale; before that there is no end date. */
function toValidation({ clock }: Ports, prdId: string, device: Device, model: ProductModel): ProductValidation {
  const { soldAt, registrations } = device
  const endDate = registrations[0]?.warrantyEndDate ?? (soldAt ? warrantyEndDate(soldAt, model.warrantyMonths) : null)
  return {
    valid: true,
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
