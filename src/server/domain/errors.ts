import type { Source } from '#contract/rules.ts'
import type { Issue } from '#contract/records/issues.ts'

/** Each document's error format must map all of these codes. */
export type ErrorCode =
  | 'invalid-input'
  | 'missing-parameter'
  | 'invalid-parameter'
  | 'invalid-length'
  | 'invalid-country'
  | 'malformed'
  | 'client-left'
  | 'unauthenticated'
  | 'invalid-token'
  | 'expired-token'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'slot-unavailable'
  | 'limit-exceeded'
  | 'payload-too-large'
  | 'unsupported-media-type'
  | 'too-many-requests'
  | 'timeout'
  | 'headers-too-large'
  | 'expectation-failed'
  | 'unavailable'
  | 'closing'
  | 'internal'

export interface Finding {
  code: FindingCode
  message: string
  /** The invalid input, such as `query.zipCode`, `path.id`, `header.request-source` or `body.symptoms[0]`. */
  target: string
  /** The violated rule, such as `document 1, operation 30` or `our choice: zip-plus-four`. */
  source?: Source
}

export type FindingCode =
  | 'MissingParameter'
  | 'InvalidParameter'
  | 'InvalidLength'
  | 'MalformedBody'
  | 'RepeatedParameter'
  | 'Conflict'
  | 'LimitExceeded'
  | 'MissingScope'

export type FindingOrigin = Partial<Pick<Finding, 'code'>> & Required<Pick<Finding, 'source'>>

export function finding(target: string, rule: string, { code = 'InvalidParameter', source }: FindingOrigin): Finding {
  return { code, message: `${target} ${rule}`, target, source }
}

export function issueFinding(
  { code, rule }: Pick<Issue, 'code' | 'rule'>,
  target: string,
  source: Source = 'our choice: field-forms',
): Finding {
  return code === 'MissingField'
    ? finding(target, rule, { code: 'MissingParameter', source: 'our choice: required-fields' })
    : finding(target, rule, { source })
}

export interface ErrorDetails {
  findings?: readonly Finding[]
  /** Null if the error does not violate a rule. */
  source: Source | null
  /** Suggests a request to the control API. It is added to the message if the control API is enabled. */
  hint?: string
  cause?: unknown
}

export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly findings: readonly Finding[]
  readonly source: Source | undefined
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, { findings = [], source, hint, cause }: ErrorDetails) {
    super(hint === undefined ? message : message + HINT + hint, { cause })
    this.code = code
    this.hint = hint
    this.findings = findings
    this.source = source ?? undefined
  }

  withoutHint(): DomainError {
    const { code, message, findings, source = null, hint, cause } = this
    if (hint === undefined) return this
    return new DomainError(code, message.slice(0, -(HINT + hint).length), { findings, source, cause })
  }
}

const HINT = '; '

/** Also returned for other users' records, so that callers cannot find out whether these records exist. */
export function notFound(message: string, source: Source, hint?: string): DomainError {
  return new DomainError('not-found', message, { source, ...(hint !== undefined && { hint }) })
}

/** Maximum number of findings in an error response, which limits the size of the response. */
const MOST_FINDINGS = 100

/** `summary` is a message that the document defines. If `summary` is absent, the message contains the first finding. */
export function invalidInput(all: readonly Finding[], summary?: string): DomainError {
  const findings = all.slice(0, MOST_FINDINGS)
  const [first] = findings
  const said = all.length > 1 ? `the request has ${all.length} errors, the first: ${first?.message}` : first?.message
  const isOfOneRule = summary === undefined && findings.every(({ source }) => source === first?.source)
  return new DomainError('invalid-input', summary ?? said ?? 'the request is not valid', {
    findings,
    source: (isOfOneRule && first?.source) || null,
  })
}
