import type { Ports } from '#server/ports.ts'
import { findIssues, type Issue } from '#contract/records/issues.ts'
import {
  DIGEST,
  KEY_BITS,
  KNOWN_COUNTRY,
  type RequestFields,
  requestFields,
  type SignedCertificate,
  type SigningRequest,
  type SubjectField,
} from '#contract/records/wallet/signing-request.ts'
import { type Finding, finding, invalidInput } from '../errors.ts'

export interface RequestFindings {
  errors: Finding[]
  /** Fields in document 2 that the request lacks. A certificate can be issued without these fields. */
  warnings: Finding[]
}

const SOURCE = 'document 2, section 5, rule 4'

export async function checkSigningRequest(
  { certificates }: Pick<Ports, 'certificates'>,
  pem: string,
): Promise<RequestFindings> {
  const request = await certificates.readRequest(pem)
  if (!request) {
    const error = wrong('request', 'is not a certificate signing request (PEM, PKCS #10)', 'MalformedBody')
    return { errors: [error], warnings: [] }
  }
  const required = (['country', 'commonName'] as const).flatMap((field) => findNameProblems(field, request))
  return {
    errors: [...findKeyProblems(request), ...required],
    warnings: desired.flatMap((field) => findNameProblems(field, request)),
  }
}

export async function issueCertificate(
  ports: Pick<Ports, 'certificates' | 'clock'>,
  pem: string,
): Promise<SignedCertificate> {
  const { errors } = await checkSigningRequest(ports, pem)
  if (errors.length > 0) throw invalidInput(errors)
  return ports.certificates.sign(pem, ports.clock.now())
}

export function readRequestFields(given: Readonly<Record<string, string | undefined>>): FieldsOrFindings {
  const errors = findIssues(requestFields, given).map((issue) => {
    const name = String(issue.path[0])
    return issue.code === 'MissingField' ? missing(name) : unfit(name, issue)
  })
  if (errors.length > 0) return { errors }
  const fields = requestFields.parse(given)
  return { fields: { ...fields, country: fields.country.toUpperCase() } }
}

type FieldsOrFindings = { fields: RequestFields } | { errors: Finding[] }

/** A certificate can be issued without them. */
const desired = ['state', 'locality', 'organization', 'unit', 'email'] as const

function findKeyProblems({ keyAlgorithm, keyBits, digest, signatureValid }: SigningRequest): Finding[] {
  const problems: Finding[] = []
  if (keyAlgorithm !== 'RSA') problems.push(wrong('key', `must be an RSA key, not ${keyAlgorithm}`))
  else if (keyBits !== KEY_BITS) problems.push(wrong('key', `must have ${KEY_BITS} bits, not ${keyBits}`))
  if (digest !== DIGEST) problems.push(wrong('digest', `must be ${DIGEST}, not ${digest ?? 'an unknown one'}`))
  if (signatureValid === false) problems.push(wrong('signature', 'must be made with the private key of the request'))
  return problems
}

function findNameProblems(field: SubjectField, { subject }: SigningRequest): Finding[] {
  const target = `subject.${field}`
  const [value, ...more] = subject[field]
  if (!value) return [missing(target)]
  if (more.length > 0 && field !== 'unit')
    return [finding(target, 'is given more than once', { code: 'RepeatedParameter', ...ours })]
  return findIssues(requestFields.shape[field], value).map((issue) => unfit(target, issue))
}

const ours = { source: 'our choice: signing-requests' } as const

const missing = (target: string) => wrong(target, 'is required', 'MissingParameter')

/** The document requires two letters for the country. Valid countries and maximum lengths are our choices. */
function unfit(target: string, { code, rule }: Issue): Finding {
  return code === 'TooLong' || rule === KNOWN_COUNTRY ? finding(target, rule, ours) : wrong(target, rule)
}

function wrong(target: string, rule: string, code: Finding['code'] = 'InvalidParameter'): Finding {
  return finding(target, rule, { code, source: SOURCE })
}
