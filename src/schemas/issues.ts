import type { z } from 'zod'

/** What a schema found, in words that do not depend on how schemas are written. */
export interface Issue {
  code: 'MissingField' | 'InvalidType' | 'InvalidValue' | 'TooManyEntries' | 'TooLong' | 'OutOfRange'
  path: readonly PropertyKey[]
  /** What the value must be, to be read after its name. */
  rule: string
}

/** Everything in which a value differs from its schema. A field that is null or empty counts as missing. */
export function findIssues(schema: z.ZodType, value: unknown): Issue[] {
  const result = schema.safeParse(value, { reportInput: true })
  return result.success ? [] : result.error.issues.map(toIssue)
}

/** `locations`, then 3, then `lat`, as `locations[3].lat`. A name that holds brackets itself stays as it is. */
export function writePath(start: string, keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`
    return path === '' ? String(key) : `${path}.${String(key)}`
  }, start)
}

function toIssue(issue: z.core.$ZodIssue): Issue {
  const { path, input } = issue
  const empty = input === undefined || input === null || input === ''
  return empty && path.length > 0 ? { code: 'MissingField', path, rule: 'is required' } : { path, ...judge(issue) }
}

function judge(issue: z.core.$ZodIssue): Pick<Issue, 'code' | 'rule'> {
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'InvalidType', rule: `must be ${toNoun(issue.expected)}` }
    case 'invalid_value':
      return {
        code: 'InvalidValue',
        rule: `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`,
      }
    case 'too_big':
      if (issue.origin === 'array') return { code: 'TooManyEntries', rule: `has at most ${issue.maximum} entries` }
      if (issue.origin === 'string') return { code: 'TooLong', rule: `has at most ${issue.maximum} characters` }
      return { code: 'OutOfRange', rule: `must be at most ${issue.maximum}` }
    case 'too_small':
      return { code: 'OutOfRange', rule: `must be at least ${issue.minimum}` }
    default:
      return { code: 'InvalidValue', rule: issue.message }
  }
}

function toNoun(expected: string): string {
  const article = /^[aeio]/.test(expected) ? 'an' : 'a'
  return expected === 'int' ? 'a whole number' : `${article} ${expected}`
}
