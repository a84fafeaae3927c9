import * as z from 'zod'
import { instant, srid, ticketNumber } from '../formats.ts'

/** Maximum number of images of a request: document 1, section 8. */
export const MAX_IMAGES_PER_REQUEST = 4
/** Document 1, section 8: an image must be smaller than 5 MB. */
export const IMAGE_SIZE_LIMIT = 5_000_000

const imageType = z.enum(['image/jpeg', 'image/gif', 'image/bmp', 'image/png'])
export type ImageType = z.infer<typeof imageType>

/** The data of an uploaded image: document 1, SymptomImageMeta. */
export const symptomImageMeta = z.object({
  imageId: z.string().meta({ example: 'IMG-5W8K2D7QX3' }),
  srid,
  ticketNumber,
  fileName: z.string().max(255),
  contentType: imageType,
  size: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sequence: z.int().min(1).max(MAX_IMAGES_PER_REQUEST),
  uploadedAt: instant,
})
export type SymptomImageMeta = z.infer<typeof symptomImageMeta>

/** The server detects the type of the file from its content. */
export interface UploadedFile {
  fileName: string
  bytes: Uint8Array
}

export const symptomImageForm = z.object({
  imageFile: z
    .custom<UploadedFile>(
      (value) => typeof value === 'object' && value !== null,
      'is required: a file in a multipart form',
    )
    .meta({
      description: 'Image (JPEG, GIF, BMP or PNG) of less than 5,000,000 bytes',
      openapi: { type: 'string', format: 'binary' },
      choice: 'required-bodies',
      optionalInDocument: true,
    }),
})
