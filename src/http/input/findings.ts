import { z } from 'zod'
import type { Finding, FindingCode } from '../../domain/errors.ts'

type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue

/** Sentences for zod's own checks; a schema that says its rule in words of its own keeps them. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${article(issue.expected as string)}`
    case 'too_small':
      return `must ${sizeOf(issue.origin as string, 'at least', issue.minimum as number)}`
    case 'too_big':
      return `must ${sizeOf(issue.origin as string, 'at most', issue.maximum as number)}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    default:
      return 'is not valid'
  }
}

/** What zod found, as findings; `part` is where the value came from: path, query, body. */
export function toFindings(error: z.ZodError, part: string, schema: z.ZodType, source: string): Finding[] {
  return error.issues.map((issue) => {
    const target = targetOf(part, issue.path)
    return {
      code: codeOf(issue),
      message: `${target} ${issue.message}`,
      target,
      source: sourceAt(schema, issue.path) ?? source,
    }
  })
}

function codeOf(issue: Issue): FindingCode {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'MissingParameter'
  if (issue.code === 'custom' && issue.params?.['missing'] === true) return 'MissingParameter'
  const sized = issue.code === 'too_big' || issue.code === 'too_small'
  return sized && (issue.origin === 'string' || issue.origin === 'array') ? 'InvalidLength' : 'InvalidParameter'
}

/** `body.symptoms[0]`; a parameter whose own name holds brackets stays as it is. */
function targetOf(part: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((target, key) => target + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`), part)
}

/** The `source` a schema's meta data names for the field at a path. */
function sourceAt(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  let current: z.ZodType | undefined = schema
  for (const key of path) {
    current = current && unwrap(current)
    if (current instanceof z.ZodObject) current = current.shape[String(key)] as z.ZodType | undefined
    else if (current instanceof z.ZodArray) current = current.element as z.ZodType
    else return undefined
  }
  return current?.meta()?.['source'] as string | undefined
}

/** The schema inside optional, default and the like. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap() as z.ZodType)
  }
  if (schema instanceof z.ZodPipe) return unwrap(schema.in as z.ZodType)
  return schema
}

function sizeOf(origin: string, bound: string, size: number): string {
  if (origin === 'string') return `have ${bound} ${size} characters`
  if (origin === 'array') return `have ${bound} ${size} entries`
  return `be ${bound} ${size}`
}

function article(expected: string): string {
  const names: Record<string, string> = { int: 'a whole number', record: 'an object', nan: 'a number' }
  return names[expected] ?? `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`
}
