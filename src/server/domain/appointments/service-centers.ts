import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import { type ServiceCenter, visitType } from '#contract/records/appointments/service-center.ts'
import type { ZipCodeRecord } from '#contract/records/guest/zip-code.ts'
import { notFound } from '../errors.ts'

export interface CenterAtDistance {
  center: ServiceCenter
  /** Distance from the center of the ZIP code area. The value is not rounded. */
  miles: number
}

export async function requireServiceCenter(store: View, ascCode: string): Promise<ServiceCenter> {
  const center = await store.serviceCenters.get(ascCode)
  if (!center) throw notFound(`service center ${ascCode} does not exist`, 'our choice: unknown-ids')
  return center
}

export function coversInHome(center: ServiceCenter, place: ZipCodeRecord, subType: string): boolean {
  const { inHome } = center
  if (!inHome?.subTypes.includes(subType)) return false
  return milesTo(center, place) <= inHome.radiusMiles
}

export interface Visit {
  place: ZipCodeRecord
  subType: string
  type: string
  inWarranty: boolean
}

export async function findVisitingCenter(
  { store }: Ports,
  { place, subType, type, inWarranty }: Visit,
  ascCode?: string,
): Promise<ServiceCenter | undefined> {
  const centers = await store.serviceCenters.find({ where: { ascCode } })
  const visiting = centers.filter((center) => {
    const { types, outOfWarranty } = center.inHome ?? {}
    const takes = (types ?? visitType.options).some((each) => each === type) && (inWarranty || outOfWarranty !== false)
    return takes && coversInHome(center, place, subType)
  })
  return nearest(visiting, place)?.center
}

export async function findNearestWalkIn(
  { store }: Ports,
  place: ZipCodeRecord,
  subType?: string,
): Promise<CenterAtDistance | undefined> {
  const centers = await store.serviceCenters.find({ where: { ascType: 'WALKIN' } })
  return nearest(
    centers.filter(({ subTypes }) => subType === undefined || subTypes.includes(subType)),
    place,
  )
}

/** If two centers are equally near, returns the one that is first in the list, so that results are stable. */
function nearest(centers: readonly ServiceCenter[], place: ZipCodeRecord): CenterAtDistance | undefined {
  let best: CenterAtDistance | undefined
  for (const center of centers) {
    const miles = milesTo(center, place)
    if (!best || miles < best.miles) best = { center, miles }
  }
  return best
}

function milesTo(center: ServiceCenter, place: ZipCodeRecord): number {
  return milesBetween(center, place)
}

interface Coordinates {
  readonly lat: number
  readonly lng: number
}

const earthRadiusMiles = 3958.7613

export function milesBetween(a: Coordinates, b: Coordinates): number {
  const fromLatitude = toRadians(a.lat)
  const toLatitude = toRadians(b.lat)
  const haversine =
    halfSineSquared(toLatitude - fromLatitude) +
    Math.cos(fromLatitude) * Math.cos(toLatitude) * halfSineSquared(toRadians(b.lng - a.lng))
  // For points on opposite sides of the earth, rounding may produce a sum above 1, for which asin returns NaN.
  return 2 * earthRadiusMiles * Math.asin(Math.sqrt(Math.min(1, haversine)))
}

function halfSineSquared(angle: number): number {
  return Math.sin(angle / 2) ** 2
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
