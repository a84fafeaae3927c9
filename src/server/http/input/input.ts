import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { OperationContract } from '#contract/operation.ts'
import type { ChoiceValues } from '#contract/records/control/choice-values.ts'
import { explain, describeUnknown } from '#contract/records/issues.ts'
import { describeIgnored } from '#contract/records/nearest.ts'
import { isPoisoned, withoutEmpty } from '#contract/records/plain-values.ts'
import type { Source } from '#contract/rules.ts'
import { type Finding, finding, invalidInput } from '#server/domain/errors.ts'
import { metaOf, shapeOf, toFindings, unwrap } from './findings.ts'
import { readRawBody, UnreadableBody } from './json-body.ts'

/** The parts of a request after validation, as transformed by their schemas. Handlers get this type. */
export type CheckedRequest = Pick<FastifyRequest, 'params' | 'query' | 'body'> & Partial<Pick<FastifyRequest, 'ports'>>

type Parameters = Record<string, string | string[] | undefined>

type InputContract = Pick<
  OperationContract,
  'params' | 'query' | 'body' | 'optionalBody' | 'invalidInput' | 'keepsEmpty' | 'keepsNull' | 'keepsUnchanged'
>

const REQUIRED = 'our choice: required-fields'

/** Validates all parts together, because Fastify would stop at the first error. Missing values cite `source`. */
export function compileInput(
  { params, query, body, optionalBody, invalidInput: summary, ...kept }: InputContract,
  { source = REQUIRED, knownOnly = false }: { source?: Source | undefined; knownOnly?: boolean } = {},
) {
  const readParams = params && compileParameters(params, 'path', source)
  const readQuery = query && compileParameters(query, 'query', source)
  const bodySource = optionalBody ? 'our choice: required-bodies' : source
  const knownNames = Object.keys(shapeOf(query))

  return (request: CheckedRequest): void => {
    const findings: Finding[] = []
    const choices = request.ports?.world.choices
    if (knownOnly) findings.push(...findUnknownNames(request.query as Parameters, knownNames))
    if (readParams) request.params = readParams(request.params as Parameters, findings, choices)
    if (readQuery) request.query = readQuery(request.query as Parameters, findings, choices)
    else findPoisonedNames(request.query as Parameters, findings)
    if (body) request.body = readBody(body, request.body, findings, bodySource, kept)
    if (findings.length > 0) throw invalidInput(findings, summarize(findings, summary))
  }
}

function summarize(findings: readonly Finding[], summary: OperationContract['invalidInput']): string | undefined {
  if (typeof summary !== 'object') return summary
  const missing = findings.find(({ code, target }) => code === 'MissingParameter' && target in summary)
  return missing && summary[missing.target]
}

export function readExactBody<S extends z.ZodType>({ body }: Pick<FastifyRequest, 'body'>, schema: S): z.output<S> {
  const result = explain(schema, readRawBody({ body }))
  if (result.success) return result.data
  throw invalidInput(toFindings(result.error, 'body', schema, REQUIRED))
}

function readBody(
  schema: z.ZodType,
  given: unknown,
  findings: Finding[],
  source: Source,
  { keepsEmpty = false, keepsNull = [], keepsUnchanged = [] }: InputContract,
): unknown {
  if (given instanceof UnreadableBody) {
    findings.push(given.finding)
    return undefined
  }
  const result = explain(schema, (keepsEmpty ? given : withoutEmpty(given, { keepsNull, keepsUnchanged })) ?? undefined)
  const required = given === undefined || given === null ? source : REQUIRED
  if (!result.success) {
    const found = toFindings(result.error, 'body', schema, required, keepsEmpty)
    const names = typeof given === 'object' && given !== null ? Object.keys(given) : []
    const unknown = names.filter((name) => !Object.hasOwn(shapeOf(schema), name))
    findings.push(...nameIgnored(found, 'body', unknown))
  }
  return result.data
}

/** The messages about missing values name the most similar unknown name. A rejected name has its own finding. */
function nameIgnored(found: readonly Finding[], part: string, unknown: readonly string[]): Finding[] {
  if (found.some(({ source }) => source === 'our choice: unknown-fields')) return [...found]
  return found.map((each) => {
    const ignored = describeIgnored(each.target.slice(part.length + 1), unknown)
    return each.message.endsWith('is required') ? { ...each, message: each.message + ignored } : each
  })
}

/** Undeclared parameters are passed on unchanged. An empty parameter counts as absent. */
function compileParameters(schema: z.ZodType, part: 'path' | 'query', source: Source) {
  const fields = Object.entries(shapeOf(schema)).map(([name, field]) => ({
    name,
    repeats: unwrap(field) instanceof z.ZodArray,
    isPageSize: metaOf(field).choice === 'page-max',
    keepsEmpty: metaOf(field).keepsEmpty === true,
  }))

  return (given: Parameters, findings: Finding[], choices?: ChoiceValues): unknown => {
    findPoisonedNames(given, findings)
    const input: Record<string, unknown> = {}
    const repeated: string[] = []
    const chosen: Finding[] = []
    const rejects = choices?.['unusable-values'] === 'reject'
    for (const { name, repeats, isPageSize, keepsEmpty } of fields) {
      const value = given[name]
      if (isPageSize && rejects) checkPageSize(value, `${part}.${name}`, choices, chosen)
      if (value === undefined || (value === '' && !keepsEmpty)) continue
      if (repeats) {
        const values = (Array.isArray(value) ? value : [value]).filter((each) => each !== '')
        if (values.length > 0) input[name] = values
      } else if (Array.isArray(value)) {
        repeated.push(name)
        const rule = `was sent ${value.length} times. Send it once`
        findings.push(
          finding(`${part}.${name}`, rule, { code: 'RepeatedParameter', source: 'our choice: repeated-parameters' }),
        )
      } else input[name] = value
    }
    const result = rejects ? explain(schema, input) : readTolerantly(schema, input)
    if (result.success && chosen.length === 0) return result.data
    const found = [...(result.error ? toFindings(result.error, part, schema, source) : []), ...chosen]
    const nameOf = ({ target }: Finding) => target.slice(part.length + 1)
    const place = (each: Finding) =>
      fields.findIndex(({ name }) => nameOf(each) === name || nameOf(each).startsWith(`${name}[`))
    const unknown = Object.keys(given).filter((name) => !fields.some((field) => field.name === name))
    const reported = nameIgnored(
      found.filter((each) => !repeated.includes(nameOf(each))),
      part,
      unknown,
    )
    findings.push(...reported.sort((a, b) => place(a) - place(b)))
    return result.success ? result.data : input
  }
}

/** Malformed parameters are parsed with the `tolerated` schema in their metadata. */
function readTolerantly(schema: z.ZodType, input: Readonly<Record<string, unknown>>): z.ZodSafeParseResult<unknown> {
  const result = explain(schema, input)
  const malformed = (result.error?.issues ?? []).flatMap(({ path: [key] }) => {
    const name = String(key)
    const { tolerated } = metaOf(shapeOf(schema)[name])
    return tolerated && input[name] !== undefined ? [[name, tolerated as z.ZodType] as const] : []
  })
  if (malformed.length === 0) return result
  return explain((schema as z.ZodObject).extend(Object.fromEntries(malformed)), input)
}

/** The maximum page size is not part of the schema, because it depends on the choices of the world. */
function checkPageSize(
  value: string | string[] | undefined,
  target: string,
  { 'page-max': most }: ChoiceValues,
  findings: Finding[],
): void {
  if (typeof value !== 'string' || !/^-?\d{1,10}$/.test(value)) return
  if (Number(value) >= 1 && Number(value) <= most) return
  findings.push(finding(target, `must be a whole number from 1 to ${most}`, { source: 'our choice: page-max' }))
}

function findUnknownNames(given: Parameters, known: readonly string[]): Finding[] {
  const unknown = Object.keys(given).filter((name) => !known.includes(name) && !isPoisoned(name))
  return unknown.map((name) =>
    refuseName(name, `query ${describeUnknown('parameter', name, known)}`, 'our choice: unknown-fields'),
  )
}

function findPoisonedNames(given: Parameters, findings: Finding[]): void {
  for (const name of Object.keys(given)) {
    if (isPoisoned(name))
      findings.push(refuseName(name, `a parameter named ${name} is not allowed`, 'our choice: repeated-parameters'))
  }
}

function refuseName(name: string, message: string, source: Source): Finding {
  return { code: 'InvalidParameter', message, target: `query.${name}`, source }
}
