import { billingOperations, DEFAULT_NAMESPACE } from '#contract/documents/billing/operations.ts'
import { writeSchemaElement } from './schema.ts'
import { escapeXml } from './envelope.ts'

const operations = Object.keys(billingOperations)
const messages = [...operations.flatMap((name) => [name, `${name}Response`]), 'WebServiceException']

/**
 * The schema is included, so that a saved file works alone. Names are those that published clients were generated from.
 */
export function writeWsdl(address: string, namespace = DEFAULT_NAMESPACE): string {
  const [location, target] = [escapeXml(address), escapeXml(namespace)]
  return `<?xml version="1.0" encoding="UTF-8"?>
<wsdl:definitions name="RTCServiceService" targetNamespace="${target}" xmlns:tns="${target}"
                  xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/">
  <wsdl:types>
${writeSchemaElement(namespace).replace(/^(?=.)/gm, '    ')}  </wsdl:types>
${messages.map(writeMessage).join('')}  <wsdl:portType name="RTCService">
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
