import { decodePercent } from '../../contract/records/decoded-text.ts'

export interface Happening {
  caller?: string | undefined
  /** Without a summary the sentence tells method and path. */
  summary?: string | undefined
  method?: string | undefined
  path?: string | undefined
  query?: string | undefined
  body?: unknown
  /** Absent where nothing was answered. */
  status?: number | undefined
  reply?: unknown
  why?: { message: string; source?: string | undefined } | undefined
  faults?: readonly string[] | undefined
}

/** `dealer-erin books AM of 3 March at ASC001: refused, the slot is full (document 1, section 8)`. */
export function tellCall(call: Happening): string {
  const { caller = 'somebody', method = '', path = '', summary } = call
  const facts = readFacts(call)
  const act = summary === undefined ? `asks ${method} ${path}` : toAct(summary, facts)
  return `${caller} ${act}${tellFacts(facts)}: ${tellOutcome(call)}`
}

/** `the stream of 7ad4… tells DEVICE_EVENT: switch switch on of aaaa…`. */
export function tellFrame({ subscriptionId, event, data }: { subscriptionId: string; event: string; data: unknown }) {
  const verb = event === 'CONTROL_EVENT' ? 'says' : 'brings'
  return `the stream of subscription ${subscriptionId} ${verb} ${tellData(data)}`
}

export function tellMail(mail: Readonly<Record<string, unknown>>): string {
  const { to, channel, subject } = mail
  const what = channel === 'SMS' ? 'a text message' : 'an e-mail'
  return `the vendor sends ${what} to ${toText(to) ?? 'somebody'}${subject === undefined ? '' : `: ${toText(subject)}`}`
}

interface Facts {
  day?: string | undefined
  slot?: string | undefined
  center?: string | undefined
  others: string[]
}

/** Other fields of a call are left to the journal. */
const nouns: Readonly<Record<string, string>> = {
  zipCode: 'zip code',
  srid: 'request',
  srId: 'request',
  ticketNumber: 'ticket',
  bpNo: 'customer',
  customerId: 'customer',
  modelCode: 'model',
  modelName: 'model',
  serialNumber: 'serial number',
  prdId: 'device',
  subType: 'product type',
  taxonomyCode: 'product group',
  lastName: 'last name',
  reasonId: 'reason',
  purchaseID: 'purchase',
  partnerCode: 'partner',
  subscriptionId: 'subscription',
}
const MOST_FACTS = 3

function readFacts({ query = '', body, path = '', reply, status = 0 }: Happening): Facts {
  const fields = { ...Object.fromEntries(new URLSearchParams(query)), ...(isObject(body) ? body : {}) }
  const date = toText(fields['appointmentDate'])
  const slot = toText(fields['timeSlot'] ?? fields['startTime'])
  const others = Object.entries(nouns).flatMap(([name, noun]) => {
    const value = Object.hasOwn(fields, name) ? toText(fields[name]) : undefined
    return value === undefined || value === '' ? [] : [`${noun} ${value}`]
  })
  const id = /\/([^/?]*\d[^/?]{3,})$/.exec(path)?.[1]
  const made = status < 300 && isObject(reply) ? toText(reply['srid'] ?? reply['subscriptionId']) : undefined
  const isNew = made !== undefined && !others.some((each) => each.endsWith(made)) && id !== made
  return {
    day: date === undefined ? undefined : toDay(date),
    slot: slot?.split('-').at(-1),
    center: toText(fields['ascCode']),
    others: [
      ...(id === undefined ? [] : [decodePercent(id)]),
      ...others.slice(0, MOST_FACTS),
      ...(isNew ? [`now ${made}`] : []),
    ],
  }
}

function toAct(summary: string, { day }: Facts): string {
  const [first = '', ...rest] = summary.split(' ')
  const verb = first.toLowerCase()
  if (day !== undefined && verb === 'create') return 'books'
  const object = rest
    .join(' ')
    .replace(/ of yours\b/, ' of their own')
    .replace(/\byour\b/g, 'their')
  if (/^(whether|what|how)$/.test(verb)) return `asks ${verb} ${object}`
  if (!verbs.has(verb)) return `asks for ${verb} ${object}`.trimEnd()
  return `${toThirdPerson(verb)} ${object}`
}

/** A sentence begins with one of these verbs; any other summary is told as something that was asked for. */
const verbs: ReadonlySet<string> = new Set(
  (
    'add cancel change check choose clear confirm create complete delete edit emit end find forget get issue let ' +
    'list look make move open provoke put read record register replace report restore revoke save search sell send ' +
    'set start stop submit take tell upload validate'
  ).split(' '),
)

function toThirdPerson(verb: string): string {
  if (/(?:s|x|ch|sh|o)$/.test(verb)) return `${verb}es`
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`
}

function tellFacts({ day, slot, center, others }: Facts): string {
  const window = day === undefined ? slot : slot === undefined ? day : `${slot} of ${day}`
  const time = [window, center === undefined ? undefined : `at ${center}`].filter((each) => each !== undefined)
  const rest = others.length > 0 ? ` (${others.join(', ')})` : ''
  return `${time.length > 0 ? ` ${time.join(' ')}` : ''}${rest}`
}

function tellOutcome({ status, why, faults = [], reply }: Happening): string {
  const struck = faults.length > 0 ? `, struck by ${faults.join(', ')}` : ''
  if (status === undefined) return `nothing was answered${struck}`
  if (status >= 400) {
    const { message = `status ${status}`, source } = why ?? {}
    const place = source === undefined || message.includes(source) ? '' : ` (${source})`
    return `refused, ${message}${place}${struck}`
  }
  const isRefusal = isObject(reply) && [reply['cancelled'], reply['success'], reply['valid']].includes(false)
  return `${isRefusal ? 'not done' : 'done'}${struck}`
}

function tellData(data: unknown): string {
  if (typeof data === 'string') return data
  const event = isObject(data) ? Object.values(data).find(isObject) : undefined
  const parts = ['capability', 'attribute', 'value', 'status', 'lifecycle'].flatMap((name) => {
    const value = event && Object.hasOwn(event, name) ? toText(event[name]) : undefined
    return value === undefined ? [] : [value]
  })
  const device = event && toText(event['deviceId'])
  return parts.length === 0 ? JSON.stringify(data) : `${parts.join(' ')}${device === undefined ? '' : ` of ${device}`}`
}

/** A text that is no day stays as it is. */
function toDay(date: string): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN
  if (Number.isNaN(at)) return date
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(at)
}

const LONGEST_FACT = 80

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined
  const text = String(value)
  return text.length > LONGEST_FACT ? `${text.slice(0, LONGEST_FACT)}…` : text
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
