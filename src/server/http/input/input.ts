import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Finding, invalidInput } from '../../domain/errors.ts'
import type { InputSummary } from '../../../contract/operation.ts'
import type { Source } from '../../../contract/records/choices/sources.ts'
import { explain } from '../../../contract/records/issues.ts'
import { type KeptFields, withoutEmpty } from '../../../contract/records/plain-values.ts'
import { shapeOf, toFindings } from './findings.ts'
import { readRawBody, UnreadableBody } from './json-body.ts'
import { compileParameters, findPoisonedNames, findUnknownNames, type Parameters } from './parameter-check.ts'

/** Checked parts are replaced by what their schemas make of them. */
export type CheckedRequest = Pick<FastifyRequest, 'params' | 'query' | 'body'> & Partial<Pick<FastifyRequest, 'ports'>>

interface InputSchemas {
  params?: z.ZodType | undefined
  query?: z.ZodType | undefined
  body?: z.ZodType | undefined
}

interface InputOptions {
  /** The place that requires the parameters that must be there. */
  source?: Source | undefined
  /** The place that requires the body. */
  bodySource?: Source | undefined
  summary?: InputSummary | undefined
  knownOnly?: boolean
  /** Whether null and empty fields of the body say something. */
  keepsEmpty?: boolean
  /** Fields of the body whose null says something. */
  keepsNull?: readonly string[] | undefined
  /** Fields of the body, at any depth, whose content is taken as it is. */
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

/** The body of a route that validates itself: empty and null fields are what they are. */
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
