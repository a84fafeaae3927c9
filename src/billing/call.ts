import { DomainError, type Finding } from '../domain/errors.ts'
import { notProperSoap } from './soap-fault.ts'
import type { XmlElement } from './xml.ts'

/** What each operation takes: document 3, section 4. */
const inputs = {
  createServiceToken: ['secret'],
  getSubscriptionStatus: ['purchaseID', 'serviceToken'],
} as const

export type OperationName = keyof typeof inputs
export type InputOf<O extends OperationName> = Record<(typeof inputs)[O][number], string>

/** One call, its inputs found and checked to be there; what they hold is for the operation to judge. */
export type SoapCall = { [O in OperationName]: { operation: O; wrapper: XmlElement } }[OperationName]

const XSI = 'http://www.w3.org/2001/XMLSchema-instance'

/** The operation that the body's element names, in the service's namespace. */
export function toCall(wrapper: XmlElement, namespace: string): SoapCall {
  const operation = wrapper.name
  if (!isOperation(operation)) throw notProperSoap('the service has no such operation')
  if (wrapper.namespace !== namespace) throw notProperSoap(`the operation is not in the namespace ${namespace}`)
  return { operation, wrapper }
}

/**
 * The inputs of a call, qualified or not. All that is missing, empty or nil and all that is given twice is found
 * together; anything missing makes it error 10, else it is 15: our choice.
 */
export function requireInputs<O extends OperationName>(operation: O, wrapper: XmlElement): InputOf<O> {
  const values: Record<string, string> = {}
  const findings: Finding[] = []
  for (const name of inputs[operation]) {
    const given = wrapper.elements.filter((child) => child.name === name && isOurs(child, wrapper))
    const [input] = given
    const code = given.length > 1 ? 'RepeatedParameter' : findMistake(input)
    if (code) findings.push({ code, message: sentences[code](name), target: name, source })
    else values[name] = input?.text ?? ''
  }
  if (findings.length > 0) throw refuseInputs(findings)
  return values as InputOf<O>
}

type Mistake = 'MissingParameter' | 'InvalidParameter' | 'RepeatedParameter'

const source = 'document 3, section 7'
const sentences: Record<Mistake, (name: string) => string> = {
  MissingParameter: (name) => `${name} is missing, empty or nil`,
  InvalidParameter: (name) => `${name} holds elements instead of text`,
  RepeatedParameter: (name) => `${name} is given more than once`,
}

function refuseInputs(findings: readonly Finding[]): DomainError {
  const isMissing = findings.some(({ code }) => code === 'MissingParameter')
  const message = findings.map((finding) => finding.message).join('; ')
  return new DomainError(isMissing ? 'missing-parameter' : 'invalid-parameter', message, { findings, source })
}

function findMistake(input: XmlElement | undefined): Mistake | undefined {
  if (!input || isNil(input)) return 'MissingParameter'
  if (input.elements.length > 0) return 'InvalidParameter'
  return input.text === '' ? 'MissingParameter' : undefined
}

function isNil({ attributes }: XmlElement): boolean {
  const nil = attributes.find(({ name, namespace }) => name === 'nil' && namespace === XSI)?.value.trim()
  return nil === 'true' || nil === '1'
}

function isOurs(child: XmlElement, wrapper: XmlElement): boolean {
  return child.namespace === '' || child.namespace === wrapper.namespace
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(inputs, name)
}
