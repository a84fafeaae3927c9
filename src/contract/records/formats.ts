import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import * as z from 'zod'

/** These names are not derived from the rules, because the module of the rules imports these schemas. */
type FieldChoice =
  | 'device-id-form'
  | 'device-owner'
  | 'email-form'
  | 'feedback'
  | 'identity-form'
  | 'list-sorting'
  | 'malformed-srid'
  | 'page-max'
  | 'paging'
  | 'required-bodies'
  | 'scenarios'
  | 'store-list'
  | 'subscription-fields'
type FieldSource =
  | `our choice: ${FieldChoice}`
  | `document 1, ${'operation 30' | 'section 2'}`
  | `document 1, section 4, ${'schedule query' | 'store list' | 'symptom tree, rule 1' | 'ticket list'}`
  | 'document 2, section 2'

declare module 'zod' {
  interface GlobalMeta {
    /** `source` is the rule for the type and the allowed values. `choice` is the rule for all other checks. */
    requiredBy?: FieldSource
    source?: FieldSource
    choice?: FieldChoice
    /** Replaces the schema if `unusable-values` is `tolerate`. A type more exact than `object` would be circular. */
    tolerated?: object
    /** True if an empty parameter is a valid value and does not count as absent. */
    keepsEmpty?: true
    /** Known values, which may depend on the object of the field. The journal lists values that are not known. */
    known?: readonly string[] | ((parent: Readonly<Record<string, unknown>>) => readonly string[])
    /** True if later versions of the API may add values. */
    mayGrow?: true
  }
}

/** Limits the length in UTF-16 code units (choice `text-length`). */
function within(schema: z.ZodString, max: number, ...checks: z.core.$ZodCheck<string>[]): z.ZodString {
  const bound: z.core.CheckFn<string> = ({ value, issues }) => {
    if (value.length <= max) return
    issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value })
  }
  return schema.check(...checks, bound).register(z.globalRegistry, { maxLength: max })
}

export const textUpTo = (max: number) => within(z.string(), max)

export const text = (max: number) => within(z.string(), max, z.minLength(1))

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** UUIDs are case-insensitive (RFC 9562, section 4). Other IDs remain unchanged. */
export const toSameCase = (id: string) => (UUID.test(id) ? id.toLowerCase() : id)
export const idText = (max: number) => text(max).overwrite(toSameCase)

export const matching = (form: RegExp, rule?: Parameters<z.ZodString['regex']>[1]) => z.string().regex(form, rule)

/** Text that consists only of white space counts as missing (choice `empty-values`). */
export const filled = z
  .string()
  .min(1)
  .refine((value) => value.trim() !== '', { error: 'is required', params: { missing: true } })

export const filledText = (max: number) => within(filled, max)

export const isoDate = z.iso.date('must be a date such as 2026-03-31').meta({ example: '2026-03-31' })

/** Also accepts timestamps without seconds (written by Java) and offsets such as `+0000` (Python). */
const LOOSE_INSTANT = /^(\d{4}-\d\d-\d\d)t(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:(z)|([+-]\d\d):?(\d\d))$/i

export const instantOr = (error: string) =>
  z
    .string(error)
    .overwrite((text) =>
      text.replace(
        LOOSE_INSTANT,
        (_, date, time, seconds = ':00', utc, hours, minutes) =>
          `${date}T${time}${seconds}${utc ? 'Z' : `${hours}:${minutes}`}`,
      ),
    )
    .check(z.iso.datetime({ offset: true, error }))

export const instant = instantOr('must be a timestamp such as 2026-03-31T14:00:00.000Z').meta({
  example: '2026-03-31T14:00:00.000Z',
})

/** A client that does not encode `+01:00` as `%2B01:00` in a query sends ` 01:00`. */
export const withPlus = (text: string) => text.replace(/ (?=\d\d:?\d\d$)/, '+')
export const queryInstant = z
  .string()
  .overwrite(withPlus)
  .pipe(instant)
  .meta({ openapi: { type: 'string', format: 'date-time' }, example: '2026-03-31T14:00:00.000Z' })

export const timeOfDay = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 09:30').meta({
  example: '09:30',
})

export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be a time zone such as America/New_York')
  .meta({ example: 'America/New_York' })

/** Document 1, section 2, Taxonomy. This field also exists in other trees. */
export const isLeafFlag = z.enum(['Y', 'N']).describe('Y: the entry has no children')
export const toLeafFlag = (isLeaf: boolean): z.infer<typeof isLeafFlag> => (isLeaf ? 'Y' : 'N')

const tenDigits = z.string().regex(/^\d{10}$/, 'must be 10 digits')
export const srid = tenDigits.meta({ description: 'ID of the service request', example: '4100000017' })
export const ticketNumber = tenDigits.meta({ description: 'Ticket number', example: '7200000017' })
export const bpNo = tenDigits.meta({ description: 'Business partner number', example: '1000000001' })

export const zipCodeOrZip4 = matching(/^\d{5}(-\d{4})?$/, 'must be a US zip code, 5 or 5+4 digits').meta({
  example: '07660',
})

export const stateCode = matching(/^[A-Za-z]{2}$/, 'must be a state code of two letters')
  .toUpperCase()
  .meta({ example: 'NJ' })

/** The HTML rule for email inputs, but with letters from any writing system and at most 64 characters before the @. */
const LETTER = String.raw`\p{L}\p{M}\d`
const LABEL = `[${LETTER}](?:[${LETTER}-]{0,61}[${LETTER}])?`
const EMAIL = new RegExp(`^[${LETTER}.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(?:\\.${LABEL})*$`, 'u')
export const email = within(z.string(), 254, z.regex(EMAIL, 'must be an e-mail address')).meta({
  example: 'pat@example.com',
  choice: 'email-form',
  // The pattern is omitted from OpenAPI, because Python and Go do not support it.
  openapi: { type: 'string', maxLength: 254, format: 'idn-email' },
})

export const IDENTITY_FORM = /^[\x20-\x7e]{1,512}$/
export const IDENTITY_RULE = '1 to 512 printable ASCII characters'

export const e164 = matching(/^\+[1-9]\d{6,14}$/).meta({ example: '+12015550143' })

/** Accepts any common notation. A number without a country code is a US number. */
export const phoneNumber = z
  .string()
  .transform((value, context) => {
    const parsed = findPhoneNumber(value)
    if (!parsed) context.addIssue({ code: 'custom', message: 'must be a phone number such as 201-555-0143' })
    return parsed ?? z.NEVER
  })
  .meta({ example: '201-555-0143' })

/** A fast check for US numbers. The library takes 50 times as long. */
const AMERICAN = /^(?:\+1[ .-]?)?\(?([2-9]\d\d)\)?[ .-]?(\d{3})[ .-]?(\d{4})$/

export function findPhoneNumber(value: string): string | undefined {
  const [isAmerican, ...digits] = AMERICAN.exec(value) ?? []
  if (isAmerican) return `+1${digits.join('')}`
  const parsed = value.length <= 32 ? parsePhoneNumberFromString(value, 'US') : undefined
  return parsed?.isPossible() ? parsed.number : undefined
}

export const modelCode = matching(/^[A-Za-z0-9][A-Za-z0-9/ ._-]{0,39}$/, 'must be a model code such as VM-TV55')
  .toUpperCase()
  .meta({ example: 'VM-TV55' })

/** Time zones that are accepted without `Intl`. The first use of `Intl` takes longer than the rest of the startup. */
const timeZones = new Set([
  'America/New_York',
  'America/Detroit',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Puerto_Rico',
  'America/Indiana/Indianapolis',
  'Pacific/Honolulu',
])

function isTimeZone(name: string): boolean {
  if (timeZones.has(name)) return true
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    timeZones.add(name)
  } catch {
    return false
  }
  return true
}
