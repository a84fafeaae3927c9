import type { View } from '../ports/store.ts'
import type { RegisteredProduct } from '#contract/records/dealer/product.ts'
import { isImei, isMobile } from '#contract/records/device-id.ts'
import { DomainError, type Finding, type FindingOrigin, finding } from './errors.ts'
import type { Filters } from './paging.ts'

export type DeviceIds = Filters<'serialNumber' | 'imei'>

export interface Device {
  modelCode: string | undefined
  soldAt: string | undefined
  registrations: readonly RegisteredProduct[]
}

export async function findDevice({ productUnits, registeredProducts }: View, id: string): Promise<Device> {
  const unit = await productUnits.get(id)
  // The `serialNumber` of a registration may also be an IMEI.
  const byImei = isImei(id) ? await registeredProducts.find({ where: { imei: id } }) : []
  const registrations = [...byImei, ...(await registeredProducts.find({ where: { serialNumber: id } }))]
  return { modelCode: unit?.modelCode ?? registrations[0]?.modelCode, soldAt: unit?.soldAt, registrations }
}

export async function findDeviceErrors(
  view: View,
  ids: DeviceIds,
  subType: string,
  isModel: (modelCode: string) => boolean,
  from: FindingOrigin,
): Promise<Finding[]> {
  const findings = findMisplacedImeis(subType, ids)
  if (findings.length > 0) return findings
  for (const field of idFields) {
    const { modelCode } = await findRequestedDevice(view, ids[field])
    if (modelCode !== undefined && !isModel(modelCode)) {
      findings.push(finding(`body.${field}`, 'belongs to a device of another model', from))
    }
  }
  if (findings.length > 0) return findings
  const { registrations } = await findRequestedDevice(view, ids.serialNumber)
  const byImei = (await findRequestedDevice(view, ids.imei)).registrations
  const isOther = !byImei.some(({ productId }) => registrations.some((each) => each.productId === productId))
  if (registrations.length === 0 || byImei.length === 0 || !isOther) return []
  return [finding('body.imei', 'does not belong to the device with body.serialNumber', from)]
}

export async function assertNoOtherOwner(view: View, ids: DeviceIds, bpNo: string, from: FindingOrigin): Promise<void> {
  for (const field of idFields) {
    const { registrations } = await findRequestedDevice(view, ids[field])
    if (registrations.every((each) => (each.bpNo ?? bpNo) === bpNo)) continue
    throw new DomainError('conflict', 'this device is registered to another customer', from)
  }
}

const idFields = ['serialNumber', 'imei'] as const

async function findRequestedDevice(view: View, id: string | undefined): Promise<Device> {
  return id === undefined ? { modelCode: undefined, soldAt: undefined, registrations: [] } : findDevice(view, id)
}

/** `serialNumber` and `imei` may contain an IMEI, but only for mobile devices. */
function findMisplacedImeis(subType: string, { serialNumber, imei }: DeviceIds): Finding[] {
  if (isMobile(subType)) return []
  const misplaced = [
    ...(serialNumber !== undefined && isImei(serialNumber) ? ['serialNumber'] : []),
    ...(imei !== undefined ? ['imei'] : []),
  ]
  const rule = `is an IMEI, which a ${subType} does not have: it is for phones, tablets and watches`
  return misplaced.map((field) => finding(`body.${field}`, rule, { source: 'our choice: imei-products' }))
}
