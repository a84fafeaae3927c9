import type { Ports } from '../../ports.ts'
import type { ImageType } from '../../schemas/guest/symptom-image.ts'
import { DomainError } from '../errors.ts'

/** What was uploaded, for those who look after a world. */
export async function requireImageBytes(
  { store, blobs }: Pick<Ports, 'store' | 'blobs'>,
  imageId: string,
): Promise<{ contentType: ImageType; bytes: Uint8Array }> {
  const image = await store.symptomImages.get(imageId)
  const bytes = image && (await blobs.get(image.sha256))
  if (image && bytes) return { contentType: image.contentType, bytes }
  throw new DomainError('not-found', `no image ${imageId} has bytes here`, { source: 'our choice' })
}
