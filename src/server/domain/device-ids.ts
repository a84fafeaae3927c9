import type { View } from '../ports/store.ts'
import type { RegisteredProduct } from '#contract/records/dealer/product.ts'
import { isImei, isMobile } from '#contract/records/device-id.ts'
import { type Finding, finding } from './errors.ts'
import type { Filters } from './paging.ts'

export type DeviceIds = Filters<'serialNumber' | 'imei'>

export interface Device {
  /** Absent for an unknown device. */
  modelCode: string | undefined
  soldAt: string | undefined
  registrations: readonly RegisteredProduct[]
}

/** A device is known once it left the factory or was registered. */
export async function findDevice({ productUnits, registeredProducts }: View, id: string): Promise<Device> {
  const unit = await productUnits.get(id)
  // A device may be registered with its IMEI in the place of the serial number.
  const byImei = isImei(id) ? await registeredProducts.find({ where: { imei: id } }) : []
  const registrations = [...byImei, ...(await registeredProducts.find({ where: { serialNumber: id } }))]
  return { modelCode: unit?.modelCode ?? registrations[0]?.modelCode, soldAt: unit?.soldAt, registrations }
}

/** Only a mobile device has an IMEI, whichever of the two fields holds it. */
export function findMisplacedImeis(subType: string, { serialNumber, imei }: DeviceIds): Finding[] {
  if (isMobile(subType)) return []
  const misplaced = [
    ...(serialNumber !== undefined && isImei(serialNumber) ? ['serialNumber'] : []),
    ...(imei !== undefined ? ['imei'] : []),
  ]
  const rule = `is an IMEI, which a ${subType} does not have: it is for phones, tablets and watches`
  return misplaced.map((field) => finding(`body.${field}`, rule, { source: 'our choice: imei-products' }))
}
