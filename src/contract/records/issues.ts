import * as z from 'zod'
import { findNearest, suggestNearest } from './nearest.ts'

const FORMS: ReadonlySet<string> = new Set(['invalid_type', 'invalid_format', 'invalid_value'])

export interface Issue {
  code: 'MissingField' | 'InvalidType' | 'InvalidValue' | 'TooManyEntries' | 'TooLong' | 'OutOfRange'
  path: readonly PropertyKey[]
  rule: string
}

export function findIssues(schema: z.ZodType, value: unknown): Issue[] {
  return (explain(schema, value).error?.issues ?? []).map((issue) => {
    const { path, input, message } = issue
    const isMissing = path.length > 0 && (input === undefined || input === null || input === '')
    return isMissing
      ? { code: 'MissingField', path, rule: 'is required' }
      : { code: codeOf(issue), path, rule: message }
  })
}

/** Parses a value. Custom messages make zod 15 times slower, so they are computed only if the value is invalid. */
export function explain<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
  const result = schema.safeParse(value)
  if (result.success) return result
  const worded = schema.safeParse(value, { error: describeIssue, reportInput: true })
  if (worded.error) worded.error.issues.splice(0, Infinity, ...withoutConsequences(worded.error.issues))
  return worded
}

/** If a value has the wrong type or format, keeps only its first issue. */
function withoutConsequences(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const wrong = new Map<string, z.core.$ZodIssue>()
  for (const issue of issues) {
    const place = writePath('', issue.path)
    if (FORMS.has(issue.code) && !wrong.has(place)) wrong.set(place, issue)
  }
  return issues.filter((issue) => (wrong.get(writePath('', issue.path)) ?? issue) === issue)
}

/** Converts keys to a path. For example, `locations`, 3 and `lat` become `locations[3].lat`. */
export function writePath(start: string, keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`
    return path === '' ? String(key) : `${path}.${String(key)}`
  }, start)
}

export function describeUnknown(kind: string, name: string, known: readonly string[]): string {
  return `has no ${kind} ${name.slice(0, 100)}${suggestNearest(name, known)}`
}

export interface UnknownField {
  /** Path of the object that contains the field. The path of the validated value itself is empty. */
  path: string
  rule: string
}

/** Returns up to `most` fields, at any depth, that are not in the schema. Null and empty fields are ignored. */
export function findUnknownFields(schema: z.ZodType, value: unknown, most: number): UnknownField[] {
  const found: UnknownField[] = []
  const keys: PropertyKey[] = []
  const look = (at: z.ZodType, given: unknown): void => {
    // This check comes first, because `instanceof` is slow in zod and long lists usually contain primitive values.
    if (typeof given !== 'object' || given === null || found.length >= most) return
    if (at instanceof z.ZodObject) {
      const shape = at.shape as Readonly<Record<string, z.ZodType>>
      for (const [field, each] of Object.entries(given)) {
        const known = Object.hasOwn(shape, field) ? shape[field] : undefined
        if (known) lookBelow(field, known, each)
        else if (found.length < most && each !== null && each !== '') {
          found.push({ path: writePath('', keys), rule: describeUnknown('field', field, Object.keys(shape)) })
        }
      }
    } else if (at instanceof z.ZodArray) {
      const element = at.element as z.ZodType
      if (Array.isArray(given)) for (const [i, each] of given.entries()) lookBelow(i, element, each)
    } else if (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault) {
      look(at.unwrap() as z.ZodType, given)
    }
  }
  const lookBelow = (key: PropertyKey, at: z.ZodType, given: unknown): void => {
    keys.push(key)
    look(at, given)
    keys.pop()
  }
  look(schema, value)
  return found
}

function codeOf(issue: z.core.$ZodIssue): Issue['code'] {
  if (issue.code === 'invalid_type') return 'InvalidType'
  if (issue.code === 'too_big' && issue.origin === 'array') return 'TooManyEntries'
  if (issue.code === 'too_big' && issue.origin === 'string') return 'TooLong'
  return issue.code === 'too_big' || issue.code === 'too_small' ? 'OutOfRange' : 'InvalidValue'
}

function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${toNoun(issue.expected)}`
    case 'too_small':
      return `must ${sizeOf(issue.origin, `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`)}`
    case 'too_big':
      return `must ${sizeOf(issue.origin, `at most ${issue.maximum}`)}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}${nearestOf(issue)}`
    case 'unrecognized_keys':
      return describeUnknown('field', issue.keys[0]!, Object.keys((issue.inst as z.ZodObject).shape))
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is not valid'
    case 'invalid_union':
      return describeUnion(issue.errors)
    default:
      return 'is not valid'
  }
}

function describeUnion(forms: readonly (readonly z.core.$ZodIssue[])[]): string {
  const rules = forms.flatMap(([first]) => (first?.path.length === 0 ? first.message : []))
  return rules.map((rule, i) => (i === 0 ? rule : rule.replace(/^must be /, ''))).join(' or ') || 'is not valid'
}

function nearestOf({ input, values }: { input?: unknown; values: readonly unknown[] }): string {
  const words = values.filter((value) => typeof value === 'string')
  const nearest = typeof input === 'string' ? findNearest(input, words) : undefined
  return nearest === undefined || values.length === 1 ? '' : `; the nearest is ${nearest}`
}

function sizeOf(origin: string, size: string): string {
  const isOne = size.endsWith(' 1')
  if (origin === 'string') return `have ${size} ${isOne ? 'character' : 'characters'}`
  return origin === 'array' ? `have ${size} ${isOne ? 'entry' : 'entries'}` : `be ${size}`
}

function toNoun(expected: string): string {
  const nouns: Readonly<Record<string, string>> = { int: 'a whole number', record: 'an object', nan: 'a number' }
  return nouns[expected] ?? `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`
}
