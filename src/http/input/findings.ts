import { z } from 'zod'
import { type Finding, type FindingCode, finding } from '../../domain/errors.ts'
import { writePath } from '../../schemas/issues.ts'
import { sayNearest } from '../../schemas/nearest.ts'

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
    case 'unrecognized_keys':
      return sayUnknown('field', issue.keys[0]!, Object.keys((issue.inst as z.ZodObject).shape))
    default:
      return 'is not valid'
  }
}

/** Where names are few and fixed, a mistyped one is told what it comes nearest to. */
export function sayUnknown(kind: string, name: string, known: readonly string[]): string {
  return `has no ${kind} ${name.slice(0, 100)}${sayNearest(name, known)}`
}

/**
 * What zod found, as findings; `part` is where the value came from: path, query, body. `required` is the place that
 * requires what has no place of its own.
 */
export function toFindings(error: z.ZodError, part: string, schema: z.ZodType, required: string): Finding[] {
  return error.issues.map((issue) => {
    const code = codeOf(issue)
    const rule = code === 'MissingParameter' ? 'is required' : issue.message
    return finding(writePath(part, issue.path), rule, { code, source: sourceOf(issue, schema, required) })
  })
}

/**
 * Two meta data of a field say where its rules come from: `requiredBy` that it must be there, `source` which type or
 * values it has. Sizes, ranges and further checks are our choice.
 */
function sourceOf(issue: Issue, schema: z.ZodType, required: string): string {
  const meta = metaAt(schema, issue.path)
  if (issue.code === 'invalid_type' && issue.input === undefined) return String(meta['requiredBy'] ?? required)
  const isForm = ['invalid_type', 'invalid_format', 'invalid_value'].includes(issue.code)
  return String((isForm && meta['source']) || 'our choice')
}

function codeOf(issue: Issue): FindingCode {
  const typed = issue.code === 'invalid_type' || issue.code === 'invalid_value'
  if (typed && issue.input === undefined) return 'MissingParameter'
  if (issue.code === 'custom' && issue.params?.['missing'] === true) return 'MissingParameter'
  const sized = issue.code === 'too_big' || issue.code === 'too_small'
  return sized && (issue.origin === 'string' || issue.origin === 'array') ? 'InvalidLength' : 'InvalidParameter'
}

/** The meta data of the field at a path, whatever wraps it. */
function metaAt(schema: z.ZodType, path: readonly PropertyKey[] = []): Record<string, unknown> {
  let current: z.ZodType | undefined = schema
  for (const key of path) {
    current = current && unwrap(current)
    if (current instanceof z.ZodObject) current = current.shape[String(key)] as z.ZodType | undefined
    else if (current instanceof z.ZodArray) current = current.element as z.ZodType
    else return {}
  }
  return metaOf(current)
}

/** The meta data of a schema and of what it wraps; the outermost counts. */
export function metaOf(schema: z.ZodType | undefined): Record<string, unknown> {
  if (!schema) return {}
  return { ...metaOf(innerOf(schema)), ...schema.meta() }
}

/** The schema inside optional, default and the like. */
export function unwrap(schema: z.ZodType): z.ZodType {
  const inner = innerOf(schema)
  return inner ? unwrap(inner) : schema
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return schema.unwrap() as z.ZodType
  }
  return schema instanceof z.ZodPipe ? (schema.in as z.ZodType) : undefined
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
