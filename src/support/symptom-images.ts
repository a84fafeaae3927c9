import type { FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { uploadSymptomImage } from '../domain/guest/symptom-images.ts'
import { UnreadableBody } from '../http/input/json-body.ts'
import { collectBody, type FormPart, readMultipart } from '../http/input/multipart-body.ts'
import { srid, ticketNumber } from '../schemas/formats.ts'
import {
  IMAGE_SIZE_LIMIT,
  symptomImageForm,
  symptomImageMeta,
  type UploadedFile,
} from '../schemas/guest/symptom-image.ts'
import { operation, refusals, type SupportApp } from './operation.ts'

/** An image just within its limit, and the rest of a form around it. */
const BODY_LIMIT = IMAGE_SIZE_LIMIT + 64 * 1024

const imageQuery = z
  .object({ srid: srid.optional(), ticketNumber: ticketNumber.optional() })
  .refine((query) => query.srid !== undefined || query.ticketNumber !== undefined, {
    message: 'or query.ticketNumber is required',
    path: ['srid'],
  })

export function symptomImages(app: SupportApp): void {
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser('*', readForm)
    // The journal keeps requests as they were; a file's bytes are not for it.
    forms.addHook('onSend', async (request) => {
      request.body = withoutBytes(request.body)
    })
    upload(forms as unknown as SupportApp)
  })
}

function upload(forms: SupportApp): void {
  forms.post('/stg/us/guest/serviceRequest/asset/symptomImage', {
    config: operation(26),
    schema: {
      tags: ['Symptom Image'],
      summary: 'Upload an image of a symptom to a service request',
      consumes: ['multipart/form-data'],
      querystring: imageQuery,
      body: symptomImageForm,
      response: { 200: symptomImageMeta, ...refusals(404) },
    },
    handler: async ({ ports, identity, query, body }) => uploadSymptomImage(ports, identity, query, body.imageFile),
  })
}

async function readForm({ headers }: FastifyRequest, payload: Readable): Promise<unknown> {
  const body = await collectBody(payload, BODY_LIMIT)
  const parts = readMultipart(body, headers['content-type'])
  return parts instanceof UnreadableBody ? parts : toForm(parts)
}

/** Our choice: one file, named imageFile. Plain fields of the form are ignored, as unknown fields are everywhere. */
function toForm(parts: readonly FormPart[]): { imageFile?: UploadedFile } | UnreadableBody {
  const [file, another] = parts.filter(({ fileName }) => fileName !== undefined)
  if (another) return new UnreadableBody('the form has more than one file; it may have one, named imageFile')
  if (!file) return {}
  if (file.name !== 'imageFile') return new UnreadableBody('the file of the form must be named imageFile')
  if (file.bytes.length === 0) return new UnreadableBody('imageFile is empty')
  return { imageFile: { fileName: toFileName(file.fileName ?? ''), bytes: file.bytes } }
}

/** What a name says behind its last slash, for people to read; it is used for no path. */
function toFileName(given: string): string {
  const [name = ''] = given.split(/[/\\]/).slice(-1)
  return name.replace(/\p{C}/gu, '').slice(0, 255) || 'image'
}

function withoutBytes(body: unknown): unknown {
  const file = (body as { imageFile?: UploadedFile } | undefined)?.imageFile
  return file ? { imageFile: { fileName: file.fileName, size: file.bytes.length } } : undefined
}
