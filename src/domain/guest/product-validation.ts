import type { Ports } from '../../ports.ts'
import { deviceId, isImei, type ProductModel, type ProductValidation } from '../../schemas/dealer/product.ts'
import { DomainError } from '../errors.ts'
import { inWarranty, warrantyEndDate } from '../dealer/warranty.ts'

type Needs = Pick<Ports, 'store' | 'clock'>

interface Device {
  modelCode: string | undefined
  soldAt: string | undefined
  /** Of its registration, when it has one. */
  warrantyEndDate: string | undefined
  registered: boolean
}

/**
 * Operation 23. Our choice: a device that nobody knows is valid when its model is known; one that is known
 * must be of that model.
 */
export async function validateProduct(
  ports: Needs,
  { prdId, modelCode }: { prdId: string; modelCode: string },
): Promise<ProductValidation> {
  const device = await findDevice(ports, prdId)
  const model = await ports.store.productModels.get(modelCode)
  if (model && (device.modelCode ?? modelCode) === modelCode) return toValidation(ports, prdId, device, model)
  return {
    valid: false,
    prdId,
    prdIdType: typeOf(prdId),
    modelCode,
    modelName: model?.modelName ?? '',
    category: model?.category ?? '',
    inWarranty: false,
    warrantyEndDate: null,
    alreadyRegistered: device.registered,
  }
}

/** Operation 24: by the device alone. What cannot be an id is not found: the operation declares no 400. */
export async function lookUpDevice(ports: Needs, given: string | undefined): Promise<ProductValidation> {
  const { data: prdId } = deviceId.safeParse(given)
  const device = prdId === undefined ? undefined : await findDevice(ports, prdId)
  const model = device?.modelCode === undefined ? undefined : await ports.store.productModels.get(device.modelCode)
  if (prdId !== undefined && device && model) return toValidation(ports, prdId, device, model)
  throw new DomainError('not-found', 'device not found', { source: 'document 1, operation 24' })
}

/** A device is known when it left the factory, or when somebody registered it. */
async function findDevice({ store }: Needs, prdId: string): Promise<Device> {
  const unit = await store.productUnits.get(prdId)
  const [registration] = await findRegistrations({ store }, prdId)
  return {
    modelCode: unit?.modelCode ?? registration?.modelCode,
    soldAt: unit?.soldAt,
    warrantyEndDate: registration?.warrantyEndDate,
    registered: registration !== undefined,
  }
}

/** A device may be registered with its IMEI in the place of the serial number. */
async function findRegistrations({ store: { registeredProducts } }: Pick<Needs, 'store'>, prdId: string) {
  const byImei = isImei(prdId) ? await registeredProducts.find({ where: { imei: prdId }, limit: 1 }) : []
  return byImei.length > 0 ? byImei : registeredProducts.find({ where: { serialNumber: prdId }, limit: 1 })
}

/** Our choice: the warranty runs from the registered purchase, else from the sale; before that there is no end date. */
function toValidation({ clock }: Needs, prdId: string, device: Device, model: ProductModel): ProductValidation {
  const { soldAt, registered } = device
  const endDate = device.warrantyEndDate ?? (soldAt ? warrantyEndDate(soldAt, model.warrantyMonths) : null)
  return {
    valid: true,
    prdId,
    prdIdType: typeOf(prdId),
    modelCode: model.modelCode,
    modelName: model.modelName,
    category: model.category,
    inWarranty: endDate !== null && inWarranty(endDate, clock.now()),
    warrantyEndDate: endDate,
    alreadyRegistered: registered,
  }
}

function typeOf(prdId: string): ProductValidation['prdIdType'] {
  return isImei(prdId) ? 'IMEI' : 'SERIAL'
}
