import * as z from 'zod'
import { type Finding, type FindingCode, finding } from '#server/domain/errors.ts'
import type { Source } from '#contract/rules.ts'
import { writePath } from '#contract/records/issues.ts'

/**
 * `part` is path, query or body. `required` is cited for a missing value without a rule. With `keepsEmpty`, a rejected
 * empty value counts as missing.
 */
export function toFindings(
  error: z.ZodError,
  part: string,
  schema: z.ZodType,
  required: Source,
  keepsEmpty = false,
): Finding[] {
  const isEmpty = ({ path, input }: z.core.$ZodIssue) =>
    keepsEmpty && path.length > 0 && (input === null || input === '')
  const found = error.issues.map((issue) => {
    const code = isEmpty(issue) ? 'MissingParameter' : codeOf(issue)
    const rule = code === 'MissingParameter' ? 'is required' : issue.message
    const source = isEmpty(issue) ? 'our choice: customer-edit' : sourceOf(issue, schema, required)
    return finding(writePath(part, issue.path), rule, { code, source })
  })
  // A missing field also violates its other rules, but findings about those would add no information.
  const missing = new Map(found.filter(({ code }) => code === 'MissingParameter').map((each) => [each.target, each]))
  return found.filter((each) => (missing.get(each.target) ?? each) === each)
}

/**
 * `requiredBy` for a missing value, `source` for an invalid type or value, `choice` (default: `field-forms`) for other
 * checks, unless the check has its own `source`.
 */
function sourceOf(issue: z.core.$ZodIssue, schema: z.ZodType, required: Source): Source {
  const meta = metaAt(schema, issue.path)
  if (isAbsent(issue)) return meta.requiredBy ?? required
  if (issue.code === 'custom' && issue.params?.['source'] !== undefined) return issue.params['source'] as Source
  if (isBlank(issue)) return 'our choice: empty-values'
  const isForm = ['invalid_type', 'invalid_format', 'invalid_value'].includes(issue.code)
  if (isForm && meta.source) return meta.source
  if (issue.code === 'unrecognized_keys') return 'our choice: unknown-fields'
  return `our choice: ${meta.choice ?? 'field-forms'}`
}

function isAbsent({ code, input }: z.core.$ZodIssue): boolean {
  return (code === 'invalid_type' || code === 'invalid_value') && input === undefined
}

function isBlank(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['missing'] === true
}

function codeOf(issue: z.core.$ZodIssue): FindingCode {
  if (isAbsent(issue)) return 'MissingParameter'
  if (isBlank(issue)) return 'MissingParameter'
  const sized = issue.code === 'too_big' || issue.code === 'too_small'
  return sized && (issue.origin === 'string' || issue.origin === 'array') ? 'InvalidLength' : 'InvalidParameter'
}

/** Skips wrappers such as optional. Metadata of a string that is parsed as a list also applies to the entries. */
function metaAt(schema: z.ZodType, path: readonly PropertyKey[] = []): z.GlobalMeta {
  let current: z.ZodType | undefined = schema
  for (const key of path) {
    const inner: z.ZodType | undefined = current && unwrap(current)
    if (inner instanceof z.ZodObject) current = inner.shape[String(key)] as z.ZodType | undefined
    else if (inner instanceof z.ZodArray) current = inner.element as z.ZodType
    else break
  }
  return metaOf(current)
}

export function metaOf(schema: z.ZodType | undefined): z.GlobalMeta {
  if (!schema) return {}
  return { ...metaOf(innerOf(schema)), ...schema.meta() }
}

export function unwrap(schema: z.ZodType): z.ZodType {
  const inner = innerOf(schema)
  return inner ? unwrap(inner) : schema
}

export function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  const whole = schema && unwrap(schema)
  return whole instanceof z.ZodObject ? (whole.shape as Record<string, z.ZodType>) : {}
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return schema.unwrap() as z.ZodType
  }
  return schema instanceof z.ZodPipe ? (schema.in as z.ZodType) : undefined
}
