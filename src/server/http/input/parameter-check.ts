import { z } from 'zod'
import { type Finding, finding } from '#server/domain/errors.ts'
import type { ChoiceValues } from '#contract/records/control/choice-values.ts'
import type { Source } from '#contract/rules.ts'
import { explain, sayUnknown } from '#contract/records/issues.ts'
import { metaOf, shapeOf, toFindings, unwrap } from './findings.ts'
import { isPoisoned } from '#contract/records/plain-values.ts'

export type Parameters = Record<string, string | string[] | undefined>

/** Undeclared parameters stay as they are; an empty one counts as absent. */
export function compileParameters(schema: z.ZodType, part: 'path' | 'query', source: Source) {
  const fields = Object.entries(shapeOf(schema)).map(([name, field]) => ({
    name,
    repeats: unwrap(field) instanceof z.ZodArray,
    isPageSize: metaOf(field).choice === 'page-max',
  }))

  return (given: Parameters, findings: Finding[], choices?: ChoiceValues): unknown => {
    findPoisonedNames(given, findings)
    const input: Record<string, unknown> = {}
    const repeated: string[] = []
    const chosen: Finding[] = []
    for (const { name, repeats, isPageSize } of fields) {
      const value = given[name]
      if (isPageSize && choices) checkPageSize(value, `${part}.${name}`, choices, chosen)
      if (value === undefined || value === '') {
        if (isPageSize && choices) input[name] = String(choices['page-size'])
        continue
      }
      if (repeats) {
        const values = (Array.isArray(value) ? value : [value]).filter((each) => each !== '')
        if (values.length > 0) input[name] = values
      } else if (Array.isArray(value)) {
        repeated.push(name)
        const rule = `is given ${value.length} times; it may be given once`
        findings.push(
          finding(`${part}.${name}`, rule, { code: 'RepeatedParameter', source: 'our choice: repeated-parameters' }),
        )
      } else input[name] = value
    }
    const result = explain(schema, input)
    if (result.success && chosen.length === 0) return result.data
    const found = [...(result.error ? toFindings(result.error, part, schema, source) : []), ...chosen]
    const nameOf = ({ target }: Finding) => target.slice(part.length + 1)
    // Findings stand in the order of the declared fields.
    const place = (each: Finding) =>
      fields.findIndex(({ name }) => nameOf(each) === name || nameOf(each).startsWith(`${name}[`))
    findings.push(...found.filter((each) => !repeated.includes(nameOf(each))).sort((a, b) => place(a) - place(b)))
    return result.success ? result.data : input
  }
}

/** The world's choice bounds a page. */
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

export function findUnknownNames(given: Parameters, known: readonly string[]): Finding[] {
  const unknown = Object.keys(given).filter((name) => !known.includes(name) && !isPoisoned(name))
  return unknown.map((name) =>
    refuseName(name, `query ${sayUnknown('parameter', name, known)}`, 'our choice: unknown-fields'),
  )
}

export function findPoisonedNames(given: Parameters, findings: Finding[]): void {
  for (const name of Object.keys(given)) {
    if (isPoisoned(name))
      findings.push(refuseName(name, `a parameter named ${name} is refused`, 'our choice: repeated-parameters'))
  }
}

function refuseName(name: string, message: string, source: Source): Finding {
  return { code: 'InvalidParameter', message, target: `query.${name}`, source }
}
