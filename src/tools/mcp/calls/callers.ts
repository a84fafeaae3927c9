import { knownFixtures } from '#contract/records/known-fixtures.ts'
import type { VendorOperation } from './operations.ts'

const NOBODY = 'none'

/** In SOAP the caller stands in the body, so such a call gets no header. */
export function toHeaders({ scope, soap }: VendorOperation, name: string | undefined): Record<string, string> {
  const isNobody = name === NOBODY
  switch (scope) {
    case 'sellers':
      return soap ? { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' } : {}
    case 'partners':
      return isNobody ? {} : { partnerCode: name ?? knownFixtures.partners[0] }
    case 'tokens':
    case 'anyPage':
      return isNobody || name === undefined ? {} : { authorization: `Bearer ${name}` }
    default:
      if (name === undefined) return {}
      return isNobody ? { 'request-source': 'vendor.com' } : identityOf(name)
  }
}

/** Document 1, section 4, common request headers: applications say who calls by GUID, the web site by profId. */
export function identityOf(name: string): Record<string, string> {
  const [, app] = /^(splus|voyager)-/.exec(name) ?? []
  return app === undefined
    ? { 'request-source': 'vendor.com', 'vendorus-profId': name }
    : { 'request-source': app, 'vendorus-GUID': name }
}
