import type { Source } from '../../contract/records/choices/sources.ts'
import type { Issue } from '../../contract/records/issues.ts'

/** Every way an operation can fail. Each document's `errors.ts` says how it looks on that wire. */
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
  | 'unavailable'
  | 'closing'
  | 'internal'

export interface Finding {
  code: FindingCode
  message: string
  /** Where: `query.zipCode`, `path.id`, `header.request-source`, `body.symptoms[0]`. */
  target: string
  /** The document or choice that says so: `document 1, operation 30`, `our choice: zip-plus-four`. */
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

/** The place that the broken rule comes from; the kind of the slip is a wrong value unless told. */
export type FindingOrigin = Partial<Pick<Finding, 'code'>> & Required<Pick<Finding, 'source'>>

/** A finding that says which rule its target breaks: `body.city must be Ridgefield Park`. */
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
  /**
   * Where the broken rule comes from, for journal and message; null where no rule is broken.
   */
  source: Source | null
  cause?: unknown
}

export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly findings: readonly Finding[]
  readonly source: Source | undefined

  constructor(code: ErrorCode, message: string, { findings = [], source, cause }: ErrorDetails) {
    super(message, { cause })
    this.code = code
    this.findings = findings
    this.source = source ?? undefined
  }
}

/** A record that does not exist, or is not the caller's: the two are answered alike. */
export function notFound(message: string, source: Source): DomainError {
  return new DomainError('not-found', message, { source })
}

/** Findings that are told; more help nobody, and a reply of them could be larger than any body. */
const MOST_FINDINGS = 100

/**
 * Input that breaks a rule, in the shape of a schema's findings. `summary` says so in the document's own words; without
 * it the findings do.
 */
export function invalidInput(all: readonly Finding[], summary?: string): DomainError {
  const findings = all.slice(0, MOST_FINDINGS)
  const untold = all.length - findings.length
  const sources = new Set(findings.map((finding) => finding.source))
  // Places that differ stand behind what they say, each.
  const tell = ({ message, source }: Finding) => (sources.size > 1 && source ? `${message} (${source})` : message)
  const message = summary ?? findings.map(tell).join('; ')
  const source = summary === undefined && sources.size === 1 ? (findings[0]?.source ?? null) : null
  return new DomainError('invalid-input', untold > 0 ? `${message}; and ${untold} more findings` : message, {
    findings,
    source,
  })
}
