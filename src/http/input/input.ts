import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Finding, finding, invalidInput } from '../../domain/errors.ts'
import { explain, sayUnknown } from '../../schemas/issues.ts'
import { toFindings, unwrap } from './findings.ts'
import { isPoisoned, readRawBody, UnreadableBody } from './json-body.ts'

/** What is checked is replaced by what its schemas make of it. */
export type CheckedRequest = Pick<FastifyRequest, 'params' | 'query' | 'body'>

export interface RouteInput {
  params?: z.ZodType | undefined
  querystring?: z.ZodType | undefined
  body?: z.ZodType | undefined
}

interface Sources {
  /** The place that requires the parameters that must be there. */
  parameters: string
  /** The same for body fields. */
  body: string
}

interface InputOptions {
  summary?: string | undefined
  knownOnly?: boolean
}

/**
 * Checks path, query and body together, so that a client learns everything that is wrong in one reply. Fastify would
 * check them one after the other and stop at the first.
 */
export function compileInput(
  { params, querystring, body }: RouteInput,
  sources: Sources,
  { summary, knownOnly = false }: InputOptions = {},
) {
  const readParams = params && compileParameters(params, 'path', sources.parameters)
  const readQuery = querystring && compileParameters(querystring, 'query', sources.parameters)

  const knownNames = Object.keys(querystring ? (unwrap(querystring) as z.ZodObject).shape : {})

  return (request: CheckedRequest): void => {
    const findings: Finding[] = []
    if (knownOnly) findings.push(...findUnknownNames(request.query as Parameters, knownNames))
    if (readParams) request.params = readParams(request.params as Parameters, findings)
    if (readQuery) request.query = readQuery(request.query as Parameters, findings)
    else findPoisonedNames(request.query as Parameters, findings)
    if (body) request.body = readBody(body, request.body, sources.body, findings)
    if (findings.length > 0) throw invalidInput(findings, summary)
  }
}

/** The body of a route that judges its input itself: empty and null fields are what they are. */
export function readExactBody<S extends z.ZodType>({ body }: Pick<FastifyRequest, 'body'>, schema: S): z.output<S> {
  const result = explain(schema, readRawBody({ body }))
  if (result.success) return result.data
  throw invalidInput(toFindings(result.error, 'body', schema, 'our choice'))
}

type Parameters = Record<string, string | string[] | undefined>

/** Takes the declared parameters and leaves the others; empty counts as absent. */
function compileParameters(schema: z.ZodType, part: 'path' | 'query', source: string) {
  const shape = (unwrap(schema) as z.ZodObject).shape
  const fields = Object.keys(shape).map((name) => ({
    name,
    repeats: unwrap(shape[name] as z.ZodType) instanceof z.ZodArray,
  }))

  return (given: Parameters, findings: Finding[]): unknown => {
    findPoisonedNames(given, findings)
    const input: Record<string, unknown> = {}
    const repeated: string[] = []
    for (const { name, repeats } of fields) {
      const value = given[name]
      if (value === undefined || value === '') continue
      if (repeats) {
        const values = (Array.isArray(value) ? value : [value]).filter((each) => each !== '')
        if (values.length > 0) input[name] = values
      } else if (Array.isArray(value)) {
        repeated.push(name)
        const rule = `is given ${value.length} times; it may be given once`
        findings.push(finding(`${part}.${name}`, rule, { code: 'RepeatedParameter' }))
      } else input[name] = value
    }
    const result = explain(schema, input)
    if (result.success) return result.data
    const found = toFindings(result.error, part, schema, source)
    findings.push(...found.filter(({ target }) => !repeated.includes(target.slice(part.length + 1))))
    return input
  }
}

function readBody(schema: z.ZodType, given: unknown, source: string, findings: Finding[]): unknown {
  if (given instanceof UnreadableBody) {
    findings.push(given.finding)
    return undefined
  }
  const result = explain(schema, withoutEmpty(given) ?? undefined)
  if (!result.success) findings.push(...toFindings(result.error, 'body', schema, source))
  return result.data
}

/** Empty and null fields count as absent, at any depth; entries of lists stay, and so do the bytes of a file. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const kept: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    if (child !== '' && child !== null) kept[key] = withoutEmpty(child)
  }
  return kept
}

function findUnknownNames(given: Parameters, known: readonly string[]): Finding[] {
  const unknown = Object.keys(given).filter((name) => !known.includes(name) && !isPoisoned(name))
  return unknown.map((name) => refuseName(name, `query ${sayUnknown('parameter', name, known)}`))
}

function findPoisonedNames(given: Parameters, findings: Finding[]): void {
  for (const name of Object.keys(given)) {
    if (isPoisoned(name)) findings.push(refuseName(name, `a parameter named ${name} is refused`))
  }
}

function refuseName(name: string, message: string): Finding {
  return { code: 'InvalidParameter', message, target: `query.${name}`, source: 'our choice' }
}
