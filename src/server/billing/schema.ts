import { z } from 'zod'
import { billingOperations, DEFAULT_NAMESPACE } from '#contract/documents/billing/operations.ts'
import { subscriptionStatus } from '#contract/records/billing/subscription-status.ts'
import { escapeXml } from './envelope.ts'

/** The order is that of the reply; numbers are doubles, and all other fields optional strings. */
export const statusFields = Object.entries(subscriptionStatus.shape).map(([name, type]) => ({
  name: name as keyof typeof subscriptionStatus.shape,
  isNumber: type instanceof z.ZodNumber,
}))

/** Wrappers, each a global element with a type of its own name: our choice. */
const wrappers = {
  createServiceToken: Object.keys(billingOperations.createServiceToken.input.shape).map(stringElement),
  createServiceTokenResponse: [stringElement('output')],
  getSubscriptionStatus: Object.keys(billingOperations.getSubscriptionStatus.input.shape).map(stringElement),
  getSubscriptionStatusResponse: ['<xs:element name="output" type="tns:subscriptionStatusInfo" minOccurs="0"/>'],
  WebServiceException: ['<xs:element name="errorCode" type="xs:int"/>', stringElement('errorMessage')],
}
const types = {
  ...wrappers,
  // Generators for C# would rename a type that has the name of its own field.
  subscriptionStatusInfo: statusFields.map(({ name, isNumber }) =>
    isNumber ? `<xs:element name="${name}" type="xs:double"/>` : stringElement(name),
  ),
}

export function writeSchema(namespace = DEFAULT_NAMESPACE): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeSchemaElement(namespace)}`
}

export function writeSchemaElement(namespace: string): string {
  const target = escapeXml(namespace)
  const elements = Object.keys(wrappers).map((name) => `  <xs:element name="${name}" type="tns:${name}"/>\n`)
  return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:tns="${target}" targetNamespace="${target}"
           elementFormDefault="unqualified" version="1.0">
${elements.join('')}${Object.entries(types).map(writeType).join('')}</xs:schema>
`
}

function writeType([name, elements]: [string, readonly string[]]): string {
  const lines = elements.map((element) => `      ${element}\n`).join('')
  return `  <xs:complexType name="${name}">\n    <xs:sequence>\n${lines}    </xs:sequence>\n  </xs:complexType>\n`
}

function stringElement(name: string): string {
  return `<xs:element name="${name}" type="xs:string" minOccurs="0"/>`
}
