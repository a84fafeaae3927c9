type Wanted = Readonly<Record<string, unknown>>

/** So many are looked for in a text; to parse it costs less than to look for more. */
const MOST_PARTS = 20

/** The names and simple values of what is wanted, as texts. */
interface Parts {
  names: string[]
  /** No number is written like them. */
  texts: string[]
  /** Whole numbers; others are written in too many ways. */
  numbers: string[]
  /** A mark of the journal is wanted, which nobody sent. */
  isMarked: boolean
}

/** They are kept as long as what is wanted, which is as long as its call. */
const known = new WeakMap<Wanted, Parts>()

export function partsOf(wanted: Wanted): Parts {
  let parts = known.get(wanted)
  if (!parts) {
    parts = { names: [], texts: [], numbers: [], isMarked: false }
    collect(wanted, parts)
    known.set(wanted, parts)
  }
  return parts
}

function collect(wanted: unknown, parts: Parts): void {
  if (Array.isArray(wanted)) for (const each of wanted) collect(each, parts)
  else if (typeof wanted === 'object' && wanted !== null) {
    for (const name in wanted) {
      add(parts.names, name)
      collect((wanted as Wanted)[name], parts)
    }
  } else {
    const text = String(wanted)
    if (text.includes('[cut]')) parts.isMarked = true
    if (String(Number(text)) !== text) add(parts.texts, text)
    else if (Number.isSafeInteger(Number(text))) add(parts.numbers, text)
  }
}

function add(parts: string[], part: string): void {
  if (parts.length < MOST_PARTS && !parts.includes(part)) parts.push(part)
}

/** With a fraction or an exponent, 7 may be written as 7.0 or 70e-1. */
const FRACTION = /\d[.eE]/

/** Only a backslash lets names and texts be written in another way. */
export function mayStandInJson(text: string, { names, texts, numbers }: Parts): boolean {
  if (text.includes('\\')) return true
  const stands = (part: string) => text.includes(part)
  if (!names.every((name) => stands(`"${name}"`)) || !texts.every(stands)) return false
  return numbers.every(stands) || FRACTION.test(text)
}

/** References, CDATA and comments; a carriage return is read as a line feed, and instructions are refused. */
const OTHERWISE = /[&\r]|<!/

/** Everything is text there. */
export function mayStandInXml(text: string, { names, texts, numbers }: Parts): boolean {
  const stands = (part: string) => text.includes(part)
  return names.every(stands) && ((texts.every(stands) && numbers.every(stands)) || OTHERWISE.test(text))
}
