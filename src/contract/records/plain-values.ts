export const MOST_LEVELS = 100
/** Maximum number of values in JSON, because all of them are validated and written in one event-loop tick. */
export const MOST_VALUES = 12_000
export const MOST_CHARACTERS = 4_000_000

export const BOUNDS = { values: MOST_VALUES, characters: MOST_CHARACTERS, levels: MOST_LEVELS } as const

interface Bounds {
  readonly values: number
  readonly characters: number
  readonly levels: number
}

export function isDeep(value: unknown): boolean {
  return exceeds(value, { values: Infinity, characters: Infinity, levels: MOST_LEVELS })
}

export function exceeds(value: unknown, { values, characters, levels }: Bounds): boolean {
  return isOver(value, { values, characters }, levels)
}

function isOver(value: unknown, left: { values: number; characters: number }, levels: number): boolean {
  left.values--
  if (levels < 0) return true
  if (typeof value === 'string') left.characters -= value.length
  else if (Array.isArray(value)) {
    for (const each of value) if (isOver(each, left, levels - 1)) return true
  } else if (typeof value === 'object' && value !== null) {
    for (const name in value) {
      left.characters -= name.length
      if (isOver((value as Readonly<Record<string, unknown>>)[name], left, levels - 1)) return true
    }
  }
  return left.values < 0 || left.characters < 0
}

interface StoredFields {
  keepsNull: readonly string[]
  /** Names of fields, at any depth, whose content stays unchanged. */
  keepsUnchanged: readonly string[]
}

/** Removes empty and null fields at any depth. List entries are not removed. */
export function withoutEmpty(value: unknown, { keepsNull, keepsUnchanged }: StoredFields): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutEmpty(each, { keepsNull: [], keepsUnchanged }))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const kept: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    if (child === null ? keepsNull.includes(key) : keepsUnchanged.includes(key)) kept[key] = child
    else if (child !== '' && child !== null) kept[key] = withoutEmpty(child, { keepsNull: [], keepsUnchanged })
  }
  return kept
}

/** Returns whether copying a field with this name could change the prototype of an object. */
export function isPoisoned(key: string): boolean {
  return key === '__proto__' || key === 'constructor'
}

/** `text` is the value as JSON. Usually a fast search in the text shows that the value contains no such key. */
export function findPoisonedKey(value: unknown, text: string): string | undefined {
  return /__proto__|constructor|\\u/.test(text) ? search(value) : undefined
}

function search(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    if (isPoisoned(key)) return key
    const found = search(child)
    if (found) return found
  }
  return undefined
}

/** Maximum depth of JSON. Deeper JSON would overflow the stack of recursive functions. */
const MOST_JSON_LEVELS = 64
/** Maximum number of JSON values. Validating more would block the event loop. */
const MOST_JSON_VALUES = 10_000

/** Runs before the JSON is parsed. Counts commas and non-empty lists and objects. */
export function findExcess(bytes: Uint8Array, mostValues = MOST_JSON_VALUES): string | undefined {
  let [depth, values, inString] = [0, 1, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (inString) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (!isEmpty(bytes, at)) values++
      if (++depth > MOST_JSON_LEVELS) return `is nested deeper than ${MOST_JSON_LEVELS} levels`
    } else if (byte === 0x5d || byte === 0x7d) depth--
    else if (byte === 0x2c) values++
    if (values > mostValues) return `has more than ${mostValues} values`
  }
  return undefined
}

function isEmpty(bytes: Uint8Array, opening: number): boolean {
  let at = opening + 1
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return bytes[at] === 0x5d || bytes[at] === 0x7d
}

export function isSame(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((each, i) => isSame(each, after[i]))
  }
  if (!isObject(before) || !isObject(after)) return false
  const names = Object.keys(before).filter((name) => before[name] !== undefined)
  const others = Object.keys(after).filter((name) => after[name] !== undefined)
  return names.length === others.length && names.every((name) => isSame(before[name], ownValue(after, name)))
}

export function ownValue(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
