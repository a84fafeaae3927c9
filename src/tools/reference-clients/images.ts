import type { SymptomImageMeta } from 'vendor-cloud/types'
import type { SupportClient } from './support.ts'

/** Document 1, section 8: at most four images per request, each smaller than 5 MB. */
const MOST_IMAGES = 4
const IMAGE_LIMIT = 5_000_000

/** Uploads images for a service request. In the result, `left` contains the images that exceed the limits. */
export async function attachImages(
  support: SupportClient,
  srid: string,
  images: readonly Blob[],
): Promise<{ sent: SymptomImageMeta[]; left: Blob[] }> {
  const allowed = images.filter(({ size }) => size < IMAGE_LIMIT).slice(0, MOST_IMAGES)
  const sent: SymptomImageMeta[] = []
  for (const imageFile of allowed) {
    const path = 'POST /stg/us/guest/serviceRequest/asset/symptomImage'
    sent.push(await support.call(path, { srid }, { imageFile }))
  }
  return { sent, left: images.filter((image) => !allowed.includes(image)) }
}
