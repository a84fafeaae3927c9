import type { z } from 'zod'
import type { Ports } from '../ports.ts'
import { availabilityRequest } from '../schemas/device-model.ts'
import { DomainError, type ErrorCode } from './errors.ts'

/** As it came: absent, once, or repeated. */
export type AvailabilityInput = { readonly [P in keyof z.input<typeof availabilityRequest>]?: unknown }

/**
 * Document 2, section 4: whether the wallet runs on a device model. A model that we don't know is not available: the
 * document names no error for it.
 */
export async function checkAvailability({ store }: Pick<Ports, 'store'>, input: AvailabilityInput) {
  const problems = findProblems(input)
  refuseFirst(problems, ['missing-parameter', 'invalid-length', 'invalid-parameter'])
  const { partnerCode, modelName } = input as z.output<typeof availabilityRequest>
  if (!(await store.partners.get(partnerCode))) {
    throw new DomainError('invalid-parameter', 'Invalid parameter: partnerCode is not one of a partner', { source: 'our choice' })
  }
  refuseFirst(problems, ['invalid-country'])
  const model = await store.deviceModels.get(modelName)
  return { available: model?.available ?? false, supportKR: model?.supportKR ?? false }
}

interface Problem {
  code: ErrorCode
  parameter: string
  rule: string
}

const titles: Partial<Record<ErrorCode, string>> = {
  'missing-parameter': 'Required parameter is missing',
  'invalid-length': 'Invalid parameter length',
  'invalid-parameter': 'Invalid parameter',
  'invalid-country': 'Invalid country code',
}

/** Our choice (DECISIONS 2b): missing, then length, then value, then country; the text names every such parameter. */
function refuseFirst(problems: readonly Problem[], order: readonly ErrorCode[]): void {
  const code = order.find((each) => problems.some((problem) => problem.code === each))
  if (!code) return
  const rules = problems.filter((problem) => problem.code === code).map(({ parameter, rule }) => `${parameter} ${rule}`.trim())
  throw new DomainError(code, `${titles[code]}: ${rules.join('; ')}`, { source: 'document 2, section 7' })
}

function findProblems(input: AvailabilityInput): Problem[] {
  const names = Object.keys(availabilityRequest.shape) as (keyof AvailabilityInput)[]
  return names.flatMap((parameter) => {
    const value = input[parameter] === '' ? undefined : input[parameter]
    if (Array.isArray(value)) return [{ code: 'invalid-parameter' as const, parameter, rule: 'is given more than once' }]
    const result = availabilityRequest.shape[parameter].safeParse(value)
    if (result.success) return []
    return [{ parameter, ...judge(parameter, value, result.error.issues[0]!) }]
  })
}

function judge(parameter: string, value: unknown, issue: z.core.$ZodIssue): Pick<Problem, 'code' | 'rule'> {
  if (value === undefined) return { code: 'missing-parameter', rule: '' }
  if (issue.code === 'too_big') return { code: 'invalid-length', rule: `has at most ${issue.maximum} characters` }
  if (parameter === 'countryCode') return { code: 'invalid-country', rule: issue.message }
  const rule = issue.code === 'invalid_value' ? `must be ${issue.values.join(', ')}` : issue.message
  return { code: 'invalid-parameter', rule }
}
