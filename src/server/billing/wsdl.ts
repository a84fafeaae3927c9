import { DEFAULT_NAMESPACE, billingOperations } from '#contract/documents/billing/operations.ts'
import { escapeXml } from './envelope.ts'
import * as z from 'zod'
import { subscriptionStatus } from '#contract/records/billing/subscription-status.ts'

const operations = Object.keys(billingOperations)
/** Document 3, sections 2 and 8. All inputs are required. */
const limits: Readonly<Record<string, string>> = {
  secret: '<xs:pattern value="[0-9]{1,12}"/>',
  purchaseID: '<xs:minLength value="1"/>',
  serviceToken: '<xs:pattern value="[0-9A-Za-z]{96}"/>',
}
const DEPRECATED =
  '<wsdl:documentation>Deprecated and unsupported: retired from the end of 2024 and replaced by the subscription ' +
  'status API.</wsdl:documentation>'
const messages = [...operations.flatMap((name) => [name, `${name}Response`]), 'WebServiceException']

/** The schema is inline, so that a saved file is complete. Published clients were generated from these names. */
export function writeWsdl(address: string, namespace = DEFAULT_NAMESPACE): string {
  const [location, target] = [escapeXml(address), escapeXml(namespace)]
  return `<?xml version="1.0" encoding="UTF-8"?>
<wsdl:definitions name="RTCServiceService" targetNamespace="${target}" xmlns:tns="${target}"
                  xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/">
  ${DEPRECATED}
  <wsdl:types>
${writeSchemaElement(namespace).replace(/^(?=.)/gm, '    ')}  </wsdl:types>
${messages.map(writeMessage).join('')}  <wsdl:portType name="RTCService">
    ${DEPRECATED}
${operations.map(writeOperation).join('')}  </wsdl:portType>
  <wsdl:binding name="RTCServiceSoapBinding" type="tns:RTCService">
    <soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
${operations.map(writeBinding).join('')}  </wsdl:binding>
  <wsdl:service name="RTCServiceService">
    <wsdl:port name="RTCServicePort" binding="tns:RTCServiceSoapBinding">
      <soap:address location="${location}"/>
    </wsdl:port>
  </wsdl:service>
</wsdl:definitions>
`
}

function writeMessage(name: string): string {
  return `  <wsdl:message name="${name}">
    <wsdl:part name="parameters" element="tns:${name}"/>
  </wsdl:message>
`
}

function writeOperation(name: string): string {
  return `    <wsdl:operation name="${name}">
      <wsdl:input name="${name}" message="tns:${name}"/>
      <wsdl:output name="${name}Response" message="tns:${name}Response"/>
      <wsdl:fault name="WebServiceException" message="tns:WebServiceException"/>
    </wsdl:operation>
`
}

function writeBinding(name: string): string {
  return `    <wsdl:operation name="${name}">
      <soap:operation soapAction="" style="document"/>
      <wsdl:input name="${name}">
        <soap:body use="literal"/>
      </wsdl:input>
      <wsdl:output name="${name}Response">
        <soap:body use="literal"/>
      </wsdl:output>
      <wsdl:fault name="WebServiceException">
        <soap:fault name="WebServiceException" use="literal"/>
      </wsdl:fault>
    </wsdl:operation>
`
}

/** In the order of the response. Numbers are doubles, and all other fields are optional strings. */
export const statusFields = Object.entries(subscriptionStatus.shape).map(([name, type]) => ({
  name: name as keyof typeof subscriptionStatus.shape,
  isNumber: type instanceof z.ZodNumber,
}))

/** Our choice: each wrapper is a global element, and its type has a name. */
const wrappers = {
  createServiceToken: Object.keys(billingOperations.createServiceToken.input.shape).map(inputElement),
  createServiceTokenResponse: [stringElement('output')],
  getSubscriptionStatus: Object.keys(billingOperations.getSubscriptionStatus.input.shape).map(inputElement),
  getSubscriptionStatusResponse: ['<xs:element name="output" type="tns:subscriptionStatusInfo" minOccurs="0"/>'],
  WebServiceException: ['<xs:element name="errorCode" type="xs:int"/>', stringElement('errorMessage')],
}
const types = {
  ...wrappers,
  // C# generators would rename a type that has the same name as one of its fields.
  subscriptionStatusInfo: statusFields.map(({ name, isNumber }) =>
    isNumber ? `<xs:element name="${name}" type="xs:double"/>` : stringElement(name),
  ),
}

export function writeSchema(namespace = DEFAULT_NAMESPACE): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeSchemaElement(namespace)}`
}

function writeSchemaElement(namespace: string): string {
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

function inputElement(name: string): string {
  const restriction = `<xs:restriction base="xs:string">${limits[name] ?? ''}</xs:restriction>`
  return `<xs:element name="${name}"><xs:simpleType>${restriction}</xs:simpleType></xs:element>`
}

function stringElement(name: string): string {
  return `<xs:element name="${name}" type="xs:string" minOccurs="0"/>`
}
