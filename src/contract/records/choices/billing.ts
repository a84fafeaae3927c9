import { defineChoices } from './choice.ts'

export const billingChoices = defineChoices('Billing', 'document 3', {
  'billing-namespace': {
    silence: 'namespace',
    choice:
      "`http://ws.iap.vendor.com/` or `BILLING_NAMESPACE`; only the operation's element is qualified, " +
      'qualified children and any prefix are taken',
  },
  wsdl: {
    silence: 'WSDL',
    choice:
      '`?wsdl` in any letter case, schema inline and at `?xsd=1`; document/literal wrapped, SOAP 1.1; ' +
      '`output` of getSubscriptionStatus is a `subscriptionStatusInfo`',
    why: 'C# renames a type named like its field',
  },
  'soap-clients': {
    silence: 'clients',
    choice:
      'PHP SoapClient, zeep, suds, JAX-WS, Axis, gSOAP, .NET, SOAP::Lite, node `soap` and `strong-soap` ' +
      'run unmodified',
  },
  'soap-order': {
    silence: 'reply',
    choice: 'in schema order: cancelSubscriptionDate and -Reason after latestOrderId, absent while ACTIVE',
  },
  'soap-charset': {
    silence: 'charset',
    choice: 'UTF-8, UTF-16 by byte order mark, `charset`, first bytes, declaration',
  },
  'soap-faults': {
    silence: 'faults',
    choice:
      'HTTP 500: `soap:Server` with `WebServiceException` {errorCode, errorMessage}; `soap:Client` without ' +
      'a detail for what is no SOAP call (the document has a detail for its own errors); VersionMismatch, ' +
      'MustUnderstand',
  },
  'soap-http-errors': {
    silence: "not SOAP's matter",
    choice:
      'content types 415 (none is fine), methods 405, over 64 KiB 413, repeated Host 400, unknown world ' +
      '404: a short text',
  },
  'service-tokens': {
    silence: 'service tokens',
    choice: '96 of `A-Z a-z 0-9`, 30 days; older ones stay valid',
  },
  'soap-check-order': {
    silence: 'order',
    choice: 'missing (10), token (300, 301), purchase (15)',
  },
  'seller-secret': {
    silence: '`secret`',
    choice: 'missing, empty, nil: 10; not 1 to 12 digits: 15; unknown: 300; kept as it is',
    why: 'the portal shows it as an id',
  },
  'soap-input-text': {
    silence: 'white space; an input twice or with elements',
    choice: 'part of the value; 15',
  },
  'purchase-lookup': {
    silence: '`purchaseID`, `serviceToken`',
    choice: "missing: 10; token malformed or unknown: 300; expired: 301; purchase unknown or another seller's: 15",
  },
  'soap-bounds': {
    silence: 'XML',
    choice:
      'by fast-xml-parser behind guards: DOCTYPE, processing instructions, undeclared prefixes, duplicate ' +
      'attributes, control characters, over 32 levels, 1,000 elements, 1,000 attributes or 100 prefixes in ' +
      'force are Client faults',
  },
  'subscription-state': {
    silence: 'subscription',
    choice: 'computed from plan and clock; cancelled is CANCEL, the paid period stays; cancelling again 409',
  },
  'billing-periods': {
    silence: 'periods',
    choice: 'by the calendar from the day of purchase: 31 January, 28 February, 31 March',
  },
  'test-mode': {
    silence: 'test mode (`realMode` N)',
    choice:
      'renews every 10 minutes, 12 times, then cancelled by the system (reason 2); its payments are ' +
      'counted, though none is real',
  },
  prices: {
    silence: 'prices',
    choice:
      'three decimals, a half rounded up in decimals (0.60 with 8.25% is 0.650); `localPrice` is what was ' +
      "paid, the purchase's `price` with its `taxRate`; `supplyPrice` too, unless the purchase has one; " +
      '0.000 in a free trial',
  },
  'continued-purchases': {
    silence: 'first payment, first purchase',
    choice: 'of the first one when it `continues` others (control API)',
  },
  'cancelled-trial': {
    silence: 'a trial cancelled and ended',
    choice: '`freeTrial` N, `currentPaymentPlan` F',
    why: 'it never had another plan',
  },
  'latest-order-id': {
    silence: '`latestOrderId`',
    choice: '19 digits and capitals; one at the purchase, a new one at each payment',
  },
  'billing-dates': {
    silence: 'dates; `Deprecation`, `Sunset`',
    choice: '`YYYY-MM-DD HH:mm:ss` GMT; the last second of 2024, on every reply (RFC 9745, RFC 8594)',
  },
})
