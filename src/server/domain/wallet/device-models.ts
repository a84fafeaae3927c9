import type { Source } from '#contract/rules.ts'
import type { Ports } from '#server/ports.ts'
import { type AvailabilityRequest, availabilityRequest } from '#contract/records/wallet/device-model.ts'
import { findIssues, type Issue } from '#contract/records/issues.ts'
import { DomainError, type ErrorCode } from '../errors.ts'

export type AvailabilityInput = { readonly [P in keyof AvailabilityRequest]?: unknown }

/** Document 2, section 4, defines no error for an unknown model, so it is reported as not available. */
export async function checkAvailability({ store }: Ports, input: AvailabilityInput) {
  const problems = findProblems(input)
  refuseFirst(problems, ['missing-parameter', 'invalid-length', 'invalid-parameter'])
  const { partnerCode, modelName } = input as AvailabilityRequest
  if (!(await store.partners.get(partnerCode))) {
    throw new DomainError('invalid-parameter', 'Invalid parameter: partnerCode names no partner', {
      hint: 'GET /_control/status names one',
      source: 'our choice: wallet-order',
    })
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

const TWICE = 'is given more than once'

/** In the order of the choice `wallet-order`. Lists all parameters that violate the first failing check. */
function refuseFirst(problems: readonly Problem[], order: readonly ErrorCode[]): void {
  const code = order.find((each) => problems.some((problem) => problem.code === each))
  if (!code) return
  const told = problems.filter((problem) => problem.code === code)
  const rules = told.map(({ parameter, rule }) => `${parameter} ${rule}`.trim())
  throw new DomainError(code, `${titles[code]}: ${rules.join('; ')}`, { source: ruleOf(code, told) })
}

/** Cites our choices for lengths and countries, because the document does not define them. */
function ruleOf(code: ErrorCode, told: readonly Problem[]): Source {
  if (code === 'invalid-length') return 'our choice: wallet-lengths'
  if (code === 'invalid-country') return 'our choice: wallet-country'
  return told.every(({ rule }) => rule === TWICE) ? 'our choice: repeated-parameters' : 'document 2, section 7'
}

function findProblems(input: AvailabilityInput): Problem[] {
  const repeated = names.filter((name) => Array.isArray(input[name]))
  const given = Object.fromEntries(names.map((name) => [name, input[name] || undefined]))
  const issues = findIssues(availabilityRequest, given)
  return [
    ...repeated.map((parameter): Problem => ({ code: 'invalid-parameter', parameter, rule: TWICE })),
    ...issues.map(toProblem).filter(({ parameter }) => !repeated.some((name) => name === parameter)),
  ]
}

const names = Object.keys(availabilityRequest.shape) as (keyof AvailabilityRequest)[]

function toProblem({ code, path, rule }: Issue): Problem {
  const parameter = String(path[0])
  if (code === 'MissingField') return { code: 'missing-parameter', parameter, rule: '' }
  if (code === 'TooLong') return { code: 'invalid-length', parameter, rule }
  return { code: parameter === 'countryCode' ? 'invalid-country' : 'invalid-parameter', parameter, rule }
}
