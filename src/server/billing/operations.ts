import type * as z from 'zod'
import { type BillingOperation, billingOperations } from '#contract/documents/billing/operations.ts'
import type { SubscriptionStatus } from '#contract/records/billing/subscription-status.ts'
import { createServiceToken } from '../domain/billing/service-tokens.ts'
import { getSubscriptionStatus } from '../domain/billing/subscription-statuses.ts'
import type { Ports } from '../ports.ts'
import { escapeXml, writeEnvelope } from './envelope.ts'
import { statusFields } from './wsdl.ts'
import { DomainError, type Finding, finding } from '../domain/errors.ts'
import { explain } from '#contract/records/issues.ts'
import { notProperSoap } from './soap-fault.ts'
import type { XmlElement } from './xml.ts'

export type Answer = (ports: Ports, call: SoapCall) => Promise<string>

type Contract<Name extends BillingOperation> = (typeof billingOperations)[Name]

const handlers: {
  readonly [Name in BillingOperation]: (
    ports: Ports,
    input: z.output<Contract<Name>['input']>,
  ) => Promise<z.output<Contract<Name>['output']>>
} = {
  createServiceToken: async (ports, { secret }) => createServiceToken(ports, secret),
  getSubscriptionStatus,
}

export function createAnswer(namespace: string): Answer {
  const write = Object.fromEntries(
    Object.keys(billingOperations).map((name) => [name, createReply(name, namespace)]),
  ) as Record<BillingOperation, (output: string) => string>
  const texts = new WeakMap<SubscriptionStatus, string>()
  const textOf = (status: SubscriptionStatus) => {
    const text = texts.get(status) ?? writeStatus(status)
    texts.set(status, text)
    return text
  }
  return async (ports, { operation, wrapper }) => {
    const input = requireInputs(billingOperations[operation].input, wrapper)
    const output = await handlers[operation](ports, input as never)
    return write[operation](typeof output === 'string' ? output : textOf(output))
  }
}

function createReply(operation: string, namespace: string): (output: string) => string {
  const name = `ns2:${operation}Response`
  const head = `<${name} xmlns:ns2="${escapeXml(namespace)}"><output>`
  const tail = `</output></${name}>`
  return (output) => writeEnvelope(head + output + tail)
}

/** Our choice: the response omits elements without a value. */
function writeStatus(status: SubscriptionStatus): string {
  const elements = statusFields.map(({ name }) => {
    const value = status[name]
    if (value === undefined) return ''
    return `<${name}>${typeof value === 'number' ? writePrice(value) : escapeXml(value)}</${name}>`
  })
  return elements.join('')
}

/** Our choice: three decimals, rounded half up. Binary fractions do not represent halves exactly. */
function writePrice(price: number): string {
  return (Math.round(Number((price * 1000).toPrecision(15))) / 1000).toFixed(3)
}

export interface SoapCall {
  operation: BillingOperation
  wrapper: XmlElement
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance'

export function toCall(wrapper: XmlElement, namespace: string): SoapCall {
  const operation = wrapper.name
  if (!isOperation(operation)) {
    const known = Object.keys(billingOperations).join(' and ')
    throw notProperSoap(`operation ${operation.slice(0, 64)} does not exist. Use ${known}`)
  }
  if (wrapper.namespace !== namespace) {
    const sent = wrapper.namespace.slice(0, 200) || 'no namespace'
    throw notProperSoap(`${operation} is in ${sent} but must be in the namespace ${namespace}`)
  }
  return { operation, wrapper }
}

/** Our choice: the error code is 10 if any input is missing, and 15 otherwise. */
function requireInputs<S extends z.ZodObject>(schema: S, wrapper: XmlElement): z.output<S> {
  const values = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, givenOf(name, wrapper)]))
  const parsed = explain(schema, values)
  if (parsed.success) return parsed.data
  const findings = parsed.error.issues.map(toFinding)
  const isMissing = findings.some(({ code }) => code === 'MissingParameter')
  const message = findings.map((finding) => finding.message).join('; ')
  throw new DomainError(isMissing ? 'missing-parameter' : 'invalid-parameter', message, { findings, source })
}

function givenOf(name: string, wrapper: XmlElement): unknown {
  const given = wrapper.elements.filter(
    (child) => child.name === name && ['', wrapper.namespace].includes(child.namespace),
  )
  const values = given.map((input) => (input.elements.length > 0 ? {} : isNil(input) ? '' : input.text))
  return values.length > 1 ? values : values[0]
}

const source = 'document 3, section 7'

function toFinding({ path, input, message }: z.core.$ZodIssue): Finding {
  const target = path.join('.')
  if (input === undefined || input === '') {
    return finding(target, 'is missing, empty or nil', { code: 'MissingParameter', source })
  }
  // The document does not specify repeated inputs or inputs that contain elements. Rejecting such inputs is our choice.
  if (Array.isArray(input))
    return finding(target, 'is given more than once', {
      code: 'RepeatedParameter',
      source: 'our choice: soap-input-text',
    })
  if (typeof input === 'object')
    return finding(target, 'contains elements instead of text', { source: 'our choice: soap-input-text' })
  return finding(target, message, { source })
}

function isNil({ attributes }: XmlElement): boolean {
  const nil = attributes.find(({ name, namespace }) => name === 'nil' && namespace === XSI)?.value.trim()
  return nil === 'true' || nil === '1'
}

function isOperation(name: string): name is BillingOperation {
  return Object.hasOwn(billingOperations, name)
}
