import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Finding, invalidInput } from '#server/domain/errors.ts'
import type { InputSummary } from '#contract/operation.ts'
import type { Source } from '#contract/rules.ts'
import { explain } from '#contract/records/issues.ts'
import { type KeptFields, withoutEmpty } from '#contract/records/plain-values.ts'
import { shapeOf, toFindings } from './findings.ts'
import { readRawBody, UnreadableBody } from './json-body.ts'
import { compileParameters, findPoisonedNames, findUnknownNames, type Parameters } from './parameter-check.ts'

/** Handlers get the checked parts as their schemas made them. */
export type CheckedRequest = Pick<FastifyRequest, 'params' | 'query' | 'body'> & Partial<Pick<FastifyRequest, 'ports'>>

interface InputSchemas {
  params?: z.ZodType | undefined
  query?: z.ZodType | undefined
  body?: z.ZodType | undefined
}

interface InputOptions {
  /** The rule that requires a missing parameter. */
  source?: Source | undefined
  /** The rule that requires the body. */
  bodySource?: Source | undefined
  summary?: InputSummary | undefined
  knownOnly?: boolean
  /** Null and empty fields of the body count as values. */
  keepsEmpty?: boolean
  /** A null in these fields counts as a value. */
  keepsNull?: readonly string[] | undefined
  /** Content of these fields is taken as it is, at any depth. */
  keepsWhole?: readonly string[] | undefined
}

const REQUIRED = 'our choice: required-fields'

/**
 * Checks path, query and body together, so that a client learns everything that is wrong in one reply. Fastify would
 * check them one after the other and stop at the first.
 */
export function compileInput(
  { params, query, body }: InputSchemas,
  {
    source = REQUIRED,
    bodySource = REQUIRED,
    summary,
    knownOnly = false,
    keepsEmpty = false,
    keepsNull = [],
    keepsWhole = [],
  }: InputOptions = {},
) {
  const readParams = params && compileParameters(params, 'path', source)
  const readQuery = query && compileParameters(query, 'query', source)

  const kept = { keepsEmpty, keepsNull, keepsWhole }
  const knownNames = Object.keys(shapeOf(query))

  return (request: CheckedRequest): void => {
    const findings: Finding[] = []
    if (knownOnly) findings.push(...findUnknownNames(request.query as Parameters, knownNames))
    if (readParams) request.params = readParams(request.params as Parameters, findings)
    if (readQuery) request.query = readQuery(request.query as Parameters, findings, request.ports?.world.choices)
    else findPoisonedNames(request.query as Parameters, findings)
    if (body) request.body = readBody(body, request.body, findings, { ...kept, source: bodySource })
    if (findings.length > 0) throw invalidInput(findings, summarize(findings, summary))
  }
}

function summarize(findings: readonly Finding[], summary: InputSummary | undefined): string | undefined {
  if (typeof summary !== 'object') return summary
  const missing = findings.find(({ code, target }) => code === 'MissingParameter' && target in summary)
  return missing && summary[missing.target]
}

/** Empty and null fields stay as they are. */
export function readExactBody<S extends z.ZodType>({ body }: Pick<FastifyRequest, 'body'>, schema: S): z.output<S> {
  const result = explain(schema, readRawBody({ body }))
  if (result.success) return result.data
  throw invalidInput(toFindings(result.error, 'body', schema, REQUIRED))
}

function readBody(
  schema: z.ZodType,
  given: unknown,
  findings: Finding[],
  { keepsEmpty, source, ...kept }: KeptFields & { keepsEmpty: boolean; source: Source },
): unknown {
  if (given instanceof UnreadableBody) {
    findings.push(given.finding)
    return undefined
  }
  const result = explain(schema, (keepsEmpty ? given : withoutEmpty(given, kept)) ?? undefined)
  const required = given === undefined || given === null ? source : REQUIRED
  if (!result.success) findings.push(...toFindings(result.error, 'body', schema, required, keepsEmpty))
  return result.data
}
