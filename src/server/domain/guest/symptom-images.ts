import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type { InStoreRequest } from '#contract/records/in-store/in-store-request.ts'
import type { Ticket } from '#contract/records/dealer/ticket.ts'
import {
  IMAGE_SIZE_LIMIT,
  type ImageType,
  MAX_IMAGES_PER_REQUEST,
  type SymptomImageMeta,
  type UploadedFile,
} from '#contract/records/guest/symptom-image.ts'
import { DomainError, type ErrorCode, finding, invalidInput, notFound } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Filters } from '../paging.ts'

/** Limited because every caller can upload. Parallel uploads may slightly exceed it. */
const MAX_IMAGES_PER_WORLD = 10_000

/** At least one of these two IDs is required. If both are present, they must identify the same request. */
export type RequestName = Filters<'srid' | 'ticketNumber'>

type ServiceRequest = { kind: 'ticket'; record: Ticket } | { kind: 'inStore'; record: InStoreRequest }

/** Operation 26. Stores the bytes first, so that no record lacks them. A rejected upload deletes them. */
export async function uploadSymptomImage(
  ports: Ports,
  name: RequestName,
  { fileName, bytes }: UploadedFile,
): Promise<SymptomImageMeta> {
  const { store, blobs, random, digests } = ports
  const contentType = requireImageType(bytes)
  assertRoom(await requireRequest(store, name))
  await assertRoomInWorld(store)
  const imageId = await newId(random, 'symptomImage', 'IMG')
  const sha256 = digests.sha256(bytes)
  const uploadedAt = new Date(ports.clock.now()).toISOString()
  const image = { imageId, fileName, contentType, size: bytes.length, sha256, uploadedAt }
  await blobs.put(sha256, bytes)
  try {
    const meta = await store.transaction(async (tx) => {
      const request = await requireRequest(tx, name)
      assertRoom(request)
      // Another upload with the same bytes may have been rejected in the meantime, which deletes the bytes.
      if (!(await blobs.get(sha256))) await blobs.put(sha256, bytes)
      const { srid, ticketNumber, images } = request.record
      const meta = { ...image, srid, ticketNumber, sequence: images.length + 1 }
      const more = { images: [...images, meta], updatedAt: uploadedAt }
      if (request.kind === 'ticket') await tx.tickets.put({ ...request.record, ...more })
      else await tx.inStoreRequests.put({ ...request.record, ...more })
      await tx.symptomImages.put(meta)
      return meta
    })
    // Another instance may have deleted the bytes while the transaction ran.
    await blobs.put(sha256, bytes)
    return meta
  } catch (error) {
    // While this transaction runs, no other request can add a record with these bytes.
    await store.transaction(async (tx) => {
      if ((await tx.symptomImages.count({ sha256 })) === 0) await blobs.delete(sha256)
      // The record may have been committed despite the error, and another rejected upload may have deleted the bytes.
      else await blobs.put(sha256, bytes)
    })
    throw error
  }
}

export async function requireImageBytes(
  { store, blobs }: Ports,
  imageId: string,
): Promise<{ contentType: ImageType; bytes: Uint8Array }> {
  const image = await store.symptomImages.get(imageId)
  const bytes = image && (await blobs.get(image.sha256))
  if (image && bytes) return { contentType: image.contentType, bytes }
  throw notFound(`image ${imageId} has no stored bytes`, 'our choice: control-refusals')
}

async function requireRequest(view: View, name: RequestName): Promise<ServiceRequest> {
  const request = await findRequest(view, name)
  if (!request) throw notFound('this service request does not exist', 'our choice: image-request')
  if (name.ticketNumber === undefined || name.ticketNumber === request.record.ticketNumber) return request
  const rule = 'is not the ticket number of the request with query.srid'
  throw invalidInput([finding('query.ticketNumber', rule, { code: 'Conflict', source: 'our choice: image-request' })])
}

async function findRequest(
  { tickets, inStoreRequests }: View,
  { srid, ticketNumber }: RequestName,
): Promise<ServiceRequest | undefined> {
  const where = srid === undefined ? { ticketNumber: ticketNumber ?? [] } : { srid }
  const [ticket] = await tickets.find({ where, limit: 1 })
  if (ticket) return { kind: 'ticket', record: ticket }
  const [request] = await inStoreRequests.find({ where, limit: 1 })
  return request && { kind: 'inStore', record: request }
}

function assertRoom({ record: { images } }: ServiceRequest): void {
  if (images.length < MAX_IMAGES_PER_REQUEST) return
  const message = `a service request can have at most ${MAX_IMAGES_PER_REQUEST} images`
  throw new DomainError('limit-exceeded', message, { source: 'document 1, section 8' })
}

/** Runs outside of the transaction, because counting all images would make parallel uploads conflict. */
async function assertRoomInWorld({ symptomImages }: View): Promise<void> {
  if ((await symptomImages.count()) < MAX_IMAGES_PER_WORLD) return
  const message = `a world can have at most ${MAX_IMAGES_PER_WORLD} images`
  throw new DomainError('limit-exceeded', message, { source: 'our choice: image-owners' })
}

/** Document 1, section 8. Throws if the file is too large or is not an accepted type of image. */
export function requireImageType(bytes: Uint8Array): ImageType {
  if (bytes.length >= IMAGE_SIZE_LIMIT) {
    throw badFile('payload-too-large', 'LimitExceeded', `must be smaller than ${IMAGE_SIZE_LIMIT / 1_000_000} MB`)
  }
  const contentType = findImageType(bytes)
  if (contentType) return contentType
  throw badFile('unsupported-media-type', 'InvalidParameter', 'must be a jpg, gif, bmp or png')
}

function badFile(code: ErrorCode, found: 'LimitExceeded' | 'InvalidParameter', rule: string): DomainError {
  const source = 'document 1, section 8'
  const wrong = finding('body.imageFile', rule, { code: found, source })
  return new DomainError(code, wrong.message, { source, findings: [wrong] })
}

const MAGIC_NUMBERS: readonly (readonly [start: string, type: ImageType])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['BM', 'image/bmp'],
]

/** The type is read from the content. `nosniff` and a sandbox policy protect clients from disguised files. */
export function findImageType(bytes: Uint8Array): ImageType | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 8))
  return MAGIC_NUMBERS.find(([magic]) => start.startsWith(magic))?.[1]
}
