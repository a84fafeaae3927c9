import { escapeXml } from './escape-xml.ts'

const title = 'Subscription billing (SOAP 1.1, deprecated)'
const paragraphs = [
  'This address takes SOAP calls by POST. It is kept for archives and migration tests only: ' +
    'the interface was retired at the end of 2024, and the subscription status API replaces it.',
  'createServiceToken(secret) gives a service token of 96 characters, valid for 30 days.',
  'getSubscriptionStatus(purchaseID, serviceToken) gives the status of a subscription.',
]

/** For a person who opens the address: what it is, and where its description is. */
export function writePage(address: string, accept = ''): { type: string; body: string } {
  const links = [`${address}?wsdl`, `${address}?xsd=1`]
  if (!accept.includes('text/html')) {
    return { type: 'text/plain; charset=utf-8', body: [title, ...paragraphs, ...links, ''].join('\n') }
  }
  const items = links.map((link) => `<li><a href="${escapeXml(link)}">${escapeXml(link)}</a></li>`).join('')
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}<ul>${items}</ul></html>
`
  return { type: 'text/html; charset=utf-8', body }
}
