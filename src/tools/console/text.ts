import type { StoredRecord } from '#contract/records/snapshot.ts'

const day = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Formats a timestamp (in UTC) or a date, for example as `Wed 6 May 2026`. */
export function toDay(at: number | string): string {
  return day.format(new Date(at)).replace(',', '')
}

export function toTime(at: number | string): string {
  return new Date(at).toISOString().slice(11, 19)
}

export function toMillisecond(at: number | string): string {
  return new Date(at).toISOString().slice(11, 23)
}

export function toMinute(at: number | string): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

export function toSecond(at: number | string): string {
  return `${toDay(at)}, ${toTime(at)}`
}

export function newDay(at: string | number, above: string | number | undefined): string | undefined {
  return above !== undefined && toDay(at) === toDay(above) ? undefined : toDay(at)
}

export function toDistance(at: number, now: number): string {
  if (Math.abs(at - now) < 1000) return 'now'
  const text = toSpan(Math.abs(at - now))
  return at >= now ? `in ${text}` : `${text} ago`
}

export function toSpan(milliseconds: number): string {
  const [size, name] = units.find(([length]) => milliseconds / 1000 >= length) ?? [1, 'second']
  return count(Math.floor(milliseconds / 1000 / size), name)
}

const units: readonly (readonly [number, string])[] = [
  [365.25 * 86_400, 'year'],
  [30.44 * 86_400, 'month'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

export function pluralOf(noun: string): string {
  return `${noun.replace(/(?<![aeiou])y$/, 'ie')}s`
}

export function count(number: number, noun: string, plural = pluralOf(noun)): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? noun : plural}`
}

export function toPrice(price: number, currency: string): string {
  const minimumFractionDigits = Number.isInteger(price) ? 0 : 2
  return `${price.toLocaleString('en-US', { minimumFractionDigits })} ${currency}`
}

export function toBytes(size: number): string {
  if (size < 1024) return `${size} B`
  return size < 1024 * 1024 ? `${(size / 1024).toFixed(1)} KiB` : `${(size / 1024 / 1024).toFixed(1)} MiB`
}

export function toLine(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function toLines(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** Returns the anchor in docs/rules.md for a citation such as `our choice: zip-plus-four`. */
export function toRuleAnchor(source: string): string {
  const id = source.replace(/^our choice: /, '').toLowerCase()
  return id.replace(/[^a-z0-9_ -]/g, '').replaceAll(' ', '-')
}

/** A request without a status never got a response, so it also counts as bad. */
export function toneOf(status = 500): 'good' | 'warn' | 'bad' {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

/** Tickets contain the name of their customer. Other records contain their own name. */
export function nameOf(record: StoredRecord): string {
  const person = { ...record, ...Object(record['customer']) } as StoredRecord
  if (person['firstName'] !== undefined) return `${String(person['firstName'])} ${String(person['lastName'])}`
  const name = ['name', 'ascName', 'storeName', 'companyName', 'user', 'itemID'].find((field) => field in record)
  return name === undefined ? '' : String(record[name])
}

/**
 * Every word must occur, in any order and with or without accents. Numbers can be searched with spaces, hyphens,
 * parentheses and a label, such as `bpNo` or `Ticket number:`.
 */
export function holds(all: string, typed: string): boolean {
  const [content, text] = [fold(all), fold(typed.trim())]
  const [, number = text] = /^(?:[a-z ]+:?\s+)?(\+?[\d() -]{7,})$/.exec(text) ?? []
  const contains = (part: string) =>
    content.includes(part) || (/\d/.test(part) && content.includes(part.replace(/[()\s-]/g, '')))
  return contains(number) || text.split(/[\s,]+/).every(contains)
}

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'").toLowerCase()

export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
