import type { Source } from '#contract/rules.ts'
import type { Issue } from '#contract/records/issues.ts'

/** Each document's `errors.ts` draws every one of these codes, so a new code does not compile until it is drawn. */
export type ErrorCode =
  | 'invalid-input'
  | 'missing-parameter'
  | 'invalid-parameter'
  | 'invalid-length'
  | 'invalid-country'
  | 'malformed'
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
  /** A place such as `query.zipCode`, `path.id`, `header.request-source` or `body.symptoms[0]`. */
  target: string
  /** A document's place or a choice, such as `document 1, operation 30` or `our choice: zip-plus-four`. */
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

/** Every finding names the place of its rule; its code means a wrong value unless told. */
export type FindingOrigin = Partial<Pick<Finding, 'code'>> & Required<Pick<Finding, 'source'>>

/** The message is the target with its rule, such as `body.city must be Ridgefield Park`. */
export function finding(target: string, rule: string, { code = 'InvalidParameter', source }: FindingOrigin): Finding {
  return { code, message: `${target} ${rule}`, target, source }
}

export function issueFinding({ code, rule }: Pick<Issue, 'code' | 'rule'>, target: string): Finding {
  return code === 'MissingField'
    ? finding(target, rule, { code: 'MissingParameter', source: 'our choice: required-fields' })
    : finding(target, rule, { source: 'our choice: field-forms' })
}

export interface ErrorDetails {
  findings?: readonly Finding[]
  /** Null where no rule is broken. */
  source: Source | null
  /** Leads to a call of the control API; it ends the message, and is left out where that is off. */
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

/** A record that does not exist and one of somebody else are answered alike. */
export function notFound(message: string, source: Source, hint?: string): DomainError {
  return new DomainError('not-found', message, { source, ...(hint !== undefined && { hint }) })
}

/** More findings help nobody, and a reply of them could be larger than any body. */
const MOST_FINDINGS = 100

/** `summary` is the document's own sentence; without it the findings make the message. */
export function invalidInput(all: readonly Finding[], summary?: string): DomainError {
  const findings = all.slice(0, MOST_FINDINGS)
  const untold = all.length - findings.length
  const sources = new Set(findings.map((finding) => finding.source))
  // Where findings have different sources, each names its own.
  const tell = ({ message, source }: Finding) => (sources.size > 1 && source ? `${message} (${source})` : message)
  const message = summary ?? findings.map(tell).join('; ')
  const source = summary === undefined && sources.size === 1 ? (findings[0]?.source ?? null) : null
  return new DomainError('invalid-input', untold > 0 ? `${message}; and ${untold} more findings` : message, {
    findings,
    source,
  })
}
