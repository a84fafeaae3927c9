import type { Entry } from '../types.ts'

/** Headers that curl sets by itself, or that only the browser's own requests need. */
const own = /^(host|connection|content-length|user-agent|accept-encoding|accept-language|transfer-encoding|expect)$/
const fromBrowsers = /^(sec-|origin$|referer$|cache-control$|pragma$|dnt$|upgrade-insecure-requests$|x-control-key$)/

const REDACTED = '[redacted]'

/**
 * A request as a command that can be run again. The journal keeps no secrets, so each is a shell variable, and the
 * command says which ones it wants.
 */
export function toCurl({ method = 'GET', path = '/', query, request }: Entry, base: string): string {
  const variables = new Set<string>()
  const quote = (text: string) => quoteForShell(text, variables)
  const address = `${base}${path}${query === undefined ? '' : `?${query}`}`
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quote(address)}`]
  const isForm = request?.headers['content-type']?.startsWith('multipart/') ?? false
  for (const [name, value] of Object.entries(request?.headers ?? {})) {
    if (own.test(name) || fromBrowsers.test(name) || (name === 'accept' && value === '*/*')) continue
    if (!isForm || name !== 'content-type') parts.push(`-H ${quote(`${name}: ${value}`)}`)
  }
  const { body } = request ?? {}
  if (isForm) parts.push(`-F 'file=@'"$${addTo(variables, 'FILE')}"`)
  else if (body !== undefined) parts.push(`--data-raw ${quote(typeof body === 'string' ? body : JSON.stringify(body))}`)
  const wanted = [...variables].map((name) => `: "\${${name}:?set it first}"\n`)
  return wanted.join('') + parts.join(' \\\n  ')
}

/** In single quotes nothing is special; secrets are let in between them. */
function quoteForShell(text: string, variables: Set<string>): string {
  const [first = '', ...others] = text.split(REDACTED)
  let before = first
  let quoted = toQuotes(first)
  for (const piece of others) {
    quoted += `"$${addTo(variables, toVariable(before))}"${toQuotes(piece)}`
    before = piece
  }
  return quoted
}

function toQuotes(text: string): string {
  return text === '' ? '' : `'${text.replaceAll("'", "'\\''")}'`
}

/** After what stands before it: `key=`, `"secret":"`, `<secret>`, `cookie: `. */
function toVariable(before: string): string {
  const name = /([\w-]{1,40})(?:"?\s?[:=]\s?"?|>)$/.exec(before.slice(-60))?.[1] ?? 'SECRET'
  return name.toUpperCase().replaceAll('-', '_')
}

function addTo(variables: Set<string>, name: string): string {
  variables.add(name)
  return name
}
