import * as z from 'zod'
import { bpNo, e164, email, filledText, instant, phoneNumber, stateCode, text, zipCodeOrZip4 } from '../formats.ts'

const companyId = z.string().max(20).meta({ description: 'The dealer company', example: 'C100' })

/** Document 1, Customer. Server-owned fields are never taken from a body. */
const set = { readOnly: true }
const anyNotation = { openapi: { type: 'string' }, description: 'As E.164; a request may have any usual notation' }
export const customer = z.object({
  bpNo: bpNo.meta(set),
  companyId: companyId.meta(set),
  firstName: text(100),
  lastName: text(100),
  email,
  phoneNumber: e164.meta(anyNotation),
  mobilePhone: e164.meta(anyNotation).optional(),
  address1: text(200),
  address2: text(200).optional(),
  city: text(100),
  state: stateCode,
  zipCode: zipCodeOrZip4,
  country: z.literal('US').meta(set),
  createdAt: instant.meta(set),
  updatedAt: instant.meta(set),
})
export type Customer = z.infer<typeof customer>

/** A search by name in any letter case is an index lookup by these fields. */
export const customerRecord = customer.extend({
  firstNameKey: z.string(),
  lastNameKey: z.string(),
  zip5: z.string().length(5),
})
export type CustomerRecord = z.infer<typeof customerRecord>

/** For people: the document has one name for the record and both bodies. */
const asCustomer = { openapi: { $ref: '#/components/schemas/Customer' } }

/** Body of operation 7. */
export const customerDraft = customer
  .omit({ bpNo: true, country: true, createdAt: true, updatedAt: true })
  .extend({
    companyId: companyId.optional(),
    firstName: filledText(100),
    lastName: filledText(100),
    phoneNumber,
    mobilePhone: phoneNumber.optional(),
    address1: filledText(200),
    city: filledText(100),
  })
  .meta(asCustomer)
export type CustomerDraft = z.infer<typeof customerDraft>

const isEmpty = (value: unknown) => value === null || value === ''
/** Our choice: null and empty text clear what a customer need not have. */
const clearable = <S extends z.ZodType>(field: S) =>
  z.preprocess((value) => (isEmpty(value) ? null : value), field.nullable().optional()).optional()
/** The path or the caller already says these fields, so an empty one counts as absent. */
const named = z.preprocess((value) => (isEmpty(value) ? undefined : value), z.string().optional()).optional()

/** Operation 13 leaves absent fields as they are. */
export const customerChanges = customerDraft
  .partial()
  .extend({
    bpNo: named,
    companyId: named,
    address2: clearable(text(200)),
    mobilePhone: clearable(phoneNumber),
  })
  .meta(asCustomer)
export type CustomerChanges = z.infer<typeof customerChanges>

/** Document 1, ResponseEntity: the reply of operations 7 and 13. */
export const responseEntity = z.object({
  status: z.int().meta({ example: 200 }),
  code: z.string().meta({ example: 'OK' }),
  message: z.string(),
  body: customer,
})
