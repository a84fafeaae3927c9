/** Levels of JSON that a value may have. */
export const MOST_LEVELS = 100
/**
 * The bounds of an entry, as it is checked and written at one go: those of a body, and of what is kept beside it,
 * such as a subscription's locations.
 */
export const MOST_VALUES = 12_000
export const MOST_CHARACTERS = 4_000_000

export const BOUNDS = { values: MOST_VALUES, characters: MOST_CHARACTERS, levels: MOST_LEVELS } as const

interface Bounds {
  readonly values: number
  readonly characters: number
  readonly levels: number
}

/** Whether a value holds more than it may. */
export function exceeds(value: unknown, { values, characters, levels }: Bounds): boolean {
  return isOver(value, { values, characters }, levels)
}

/** Counts down what is left, and looks no further when nothing is. */
function isOver(value: unknown, left: { values: number; characters: number }, levels: number): boolean {
  left.values--
  if (levels < 0) return true
  if (typeof value === 'string') left.characters -= value.length
  else if (Array.isArray(value)) {
    // Not by names: millions of them would be made first.
    for (const each of value) if (isOver(each, left, levels - 1)) return true
  } else if (typeof value === 'object' && value !== null) {
    for (const name in value) {
      left.characters -= name.length
      if (isOver((value as Readonly<Record<string, unknown>>)[name], left, levels - 1)) return true
    }
  }
  return left.values < 0 || left.characters < 0
}

export interface KeptFields {
  /** Fields of the value itself whose null says something. */
  keepsNull: readonly string[]
  /** Fields at any depth whose content is taken as it is. */
  keepsWhole: readonly string[]
}

/** Empty and null fields count as absent, at any depth; entries of lists stay, and so do the bytes of a file. */
export function withoutEmpty(value: unknown, { keepsNull, keepsWhole }: KeptFields): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutEmpty(each, { keepsNull: [], keepsWhole }))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const kept: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    if (child === null ? keepsNull.includes(key) : keepsWhole.includes(key)) kept[key] = child
    else if (child !== '' && child !== null) kept[key] = withoutEmpty(child, { keepsNull: [], keepsWhole })
  }
  return kept
}
