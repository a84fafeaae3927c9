export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

const earthRadiusMiles = 3958.7613

/** Great-circle distance in miles; only what is shown is rounded. */
export function milesBetween(a: Coordinates, b: Coordinates): number {
  const fromLatitude = toRadians(a.latitude)
  const toLatitude = toRadians(b.latitude)
  const haversine =
    halfSineSquared(toLatitude - fromLatitude) +
    Math.cos(fromLatitude) * Math.cos(toLatitude) * halfSineSquared(toRadians(b.longitude - a.longitude))
  // Rounding can lift the sum above 1 for opposite points, where asin would give NaN.
  return 2 * earthRadiusMiles * Math.asin(Math.sqrt(Math.min(1, haversine)))
}

function halfSineSquared(angle: number): number {
  return Math.sin(angle / 2) ** 2
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
