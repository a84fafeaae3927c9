import * as z from 'zod'
import { bpNo, isoDate, modelCode, text } from '../formats.ts'

/** Body of operation 15. Document 1, section 2, requires all fields. */
const inDispute = { requiredBy: 'document 1, section 2' } as const
export const disputeDraft = z.object({
  serial: text(40).meta(inDispute),
  modelCode: modelCode.meta(inDispute),
  bpNo: bpNo.meta(inDispute),
  receiptFileKey: text(200).meta({
    ...inDispute,
    description:
      'Receipt of the company, or the imageId of an image that was uploaded to one of its tickets (operation 26)',
    example: 'receipt-0001',
  }),
  purchaseDate: isoDate.meta(inDispute),
})
export type DisputeDraft = z.infer<typeof disputeDraft>
