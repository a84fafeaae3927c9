import * as z from 'zod'
import {
  bpNo,
  e164,
  email,
  filledText,
  instant,
  phoneNumber,
  stateCode,
  text,
  textUpTo,
  zipCodeOrZip4,
} from '../formats.ts'

const companyId = z.string().max(20).meta({ description: 'ID of the dealer company', example: 'C100' })

/** A customer as the server returns it: document 1, Customer. */
export const customer = z.object({
  bpNo,
  companyId,
  firstName: text(100),
  lastName: text(100),
  email,
  phoneNumber: e164,
  mobilePhone: e164.optional(),
  address1: text(200),
  address2: text(200).optional(),
  city: text(100),
  state: stateCode,
  zipCode: zipCodeOrZip4,
  country: z.literal('US'),
  createdAt: instant,
  updatedAt: instant,
})
export type Customer = z.infer<typeof customer>

/** A stored customer, which has additional fields for indexes. They make searches case-insensitive. */
export const customerRecord = customer.extend({
  firstNameKey: z.string(),
  lastNameKey: z.string(),
  zip5: z.string().length(5),
})
export type CustomerRecord = z.infer<typeof customerRecord>

const anyNotation = phoneNumber.describe('Phone number in any common notation. Stored as E.164.')

/** Body of operation 7: document 1, Customer, without the fields that the server sets. */
export const customerDraft = customer.omit({ bpNo: true, country: true, createdAt: true, updatedAt: true }).extend({
  companyId: companyId.optional(),
  firstName: filledText(100),
  lastName: filledText(100),
  phoneNumber: anyNotation,
  mobilePhone: anyNotation.optional(),
  address1: filledText(200),
  city: filledText(100),
})
export type CustomerDraft = z.infer<typeof customerDraft>

const isEmpty = (value: unknown) => value === null || value === ''
/** Schema of an optional field. Null or an empty string clears the field. */
const clearable = <S extends z.ZodType>(field: S, sent: z.ZodType, description: string) =>
  z
    .preprocess((value) => (isEmpty(value) ? null : value), field.nullable().optional())
    .optional()
    .meta({ openapi: sent.nullable(), description })
/** Schema of a field whose value the path or the caller determines. An empty value counts as absent. */
const named = (description: string) =>
  z
    .preprocess((value) => (isEmpty(value) ? undefined : value), z.string().optional())
    .optional()
    .meta({ openapi: z.string().nullable(), description })

/** Body of operation 13: document 1, Customer. Absent fields remain unchanged. */
export const customerChanges = customerDraft.partial().extend({
  bpNo: named('Same value as in the path'),
  companyId: named('ID of the company of the dealer'),
  address2: clearable(text(200), textUpTo(200), 'Second address line. Null or an empty string removes it.'),
  mobilePhone: clearable(
    phoneNumber,
    z.string(),
    'Mobile phone number in any common notation. Null or an empty string removes it.',
  ),
})
export type CustomerChanges = z.infer<typeof customerChanges>

/** Response of operations 7 and 13: document 1, ResponseEntity. */
export const responseEntity = z.object({
  status: z.int().meta({ example: 200 }),
  code: z.string().meta({ example: 'OK' }),
  message: z.string(),
  body: customer,
})
