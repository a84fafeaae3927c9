import type { Entry } from '../types.ts'

/** Headers that clients set by themselves, or that only the browser's own requests need. */
const own = /^(host|connection|content-length|user-agent|accept-encoding|accept-language|transfer-encoding|expect)$/
const fromBrowsers = /^(sec-|origin$|referer$|cache-control$|pragma$|dnt$|upgrade-insecure-requests$|x-control-key$)/
/** Their value is the caller, whom the journal knows. */
const identity = /^vendorus-(guid|profid)$/

const REDACTED = '[redacted]'

export interface Sent {
  method: string
  /** With the query. */
  path: string
  headers: [name: string, value: string][]
  body: string | undefined
  /** A file, which the journal does not keep. */
  hasFile: boolean
}

/** A request as it can be sent again; secrets but the caller's own name are left as the journal has them. */
export function toSent({ method = 'GET', path = '/', query, request, caller }: Entry): Sent {
  const { headers = {}, body } = request ?? {}
  const hasFile = headers['content-type']?.startsWith('multipart/') ?? false
  const kept = Object.entries(headers).filter(
    ([name, value]) =>
      !(own.test(name) || fromBrowsers.test(name) || (name === 'accept' && value === '*/*')) &&
      !(hasFile && name === 'content-type'),
  )
  return {
    method,
    path: query === undefined ? path : `${path}?${query}`,
    headers: kept.map(([name, value]) => [name, identity.test(name) && caller !== undefined ? caller : value]),
    body: hasFile || body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    hasFile,
  }
}

/** The names of what the journal has not kept, in the order they stand in; each is asked for once. */
export function secretsOf(sent: Sent): string[] {
  const names = new Set<string>()
  mapTexts(sent, (text) =>
    fill(text, (name) => {
      names.add(name)
      return ''
    }),
  )
  if (sent.hasFile) names.add('FILE')
  return [...names]
}

/** The request with its secrets in their places. */
export function withSecrets(sent: Sent, secrets: Readonly<Record<string, string>>): Sent {
  return mapTexts(sent, (text) => fill(text, (name) => secrets[name] ?? ''))
}

export const forms = [
  ['curl', 'curl'],
  ['httpie', 'HTTPie'],
  ['fetch', 'fetch'],
  ['test', 'Test'],
] as const
export type CodeForm = (typeof forms)[number][0]

/** A request as code that does the same again; each secret is a variable of the environment, and asked for by name. */
export function toCode(form: CodeForm, sent: Sent, base: string, status = 200): string {
  if (form === 'fetch') return toFetch(sent, base)
  if (form === 'test') return toTest(sent, base, status)
  const wanted = secretsOf(sent).map((name) => `: "\${${name}:?set it first}"\n`)
  return wanted.join('') + (form === 'curl' ? toCurl(sent, base) : toHttpie(sent, base))
}

function toCurl({ method, path, headers, body, hasFile }: Sent, base: string): string {
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoteForShell(base + path)}`]
  for (const [name, value] of headers) parts.push(`-H ${quoteForShell(`${name}: ${value}`)}`)
  if (hasFile) parts.push(`-F 'file=@'"$FILE"`)
  if (body !== undefined) parts.push(`--data-raw ${quoteForShell(body)}`)
  return parts.join(' \\\n  ')
}

function toHttpie({ method, path, headers, body, hasFile }: Sent, base: string): string {
  const parts = [`http ${hasFile ? '--multipart ' : '--ignore-stdin '}${method} ${quoteForShell(base + path)}`]
  for (const [name, value] of headers) parts.push(quoteForShell(`${name}:${value}`))
  if (hasFile) parts.push(`'file@'"$FILE"`)
  if (body !== undefined) parts.push(`--raw ${quoteForShell(body)}`)
  return parts.join(' \\\n  ')
}

function toFetch({ method, path, headers, body, hasFile }: Sent, base: string): string {
  const lines = [
    ...(hasFile
      ? [
          "import { openAsBlob } from 'node:fs'",
          'const form = new FormData()',
          `form.append('file', await openAsBlob(${toVariable('FILE')}))`,
        ]
      : []),
    `const reply = await fetch(${quoteForCode(base + path)}, {`,
    `  method: '${method}',`,
    ...(headers.length > 0
      ? [
          '  headers: {',
          ...headers.map(([name, value]) => `    '${name}': ${quoteForCode(value, `${name}: `)},`),
          '  },',
        ]
      : []),
    ...(hasFile ? ['  body: form,'] : body === undefined ? [] : [`  body: ${quoteForCode(body)},`]),
    '})',
  ]
  return lines.join('\n')
}

function toTest(sent: Sent, base: string, status: number): string {
  const body = toFetch(sent, base).split('\n')
  const imports = body.filter((line) => line.startsWith('import '))
  const rest = body.filter((line) => !line.startsWith('import '))
  return [
    "import { expect, test } from 'vitest'",
    ...imports,
    '',
    `test('${sent.method} ${sent.path.replace(/\?.*/s, '').replaceAll("'", '')} answers ${status}', async () => {`,
    ...rest.map((line) => `  ${line}`),
    `  expect(reply.status).toBe(${status})`,
    '})',
  ].join('\n')
}

function mapTexts(sent: Sent, map: (text: string) => string): Sent {
  return {
    ...sent,
    path: map(sent.path),
    headers: sent.headers.map(([name, value]) => [name, map(`${name}: ${value}`).slice(name.length + 2)]),
    body: sent.body === undefined ? undefined : map(sent.body),
  }
}

/** Puts what `secretFor` says in the place of each secret; its name is what stands before it: `key=`, `"secret":"`. */
function fill(text: string, secretFor: (name: string) => string): string {
  return split(text)
    .map(({ plain, secret }) => plain + (secret === undefined ? '' : secretFor(secret)))
    .join('')
}

interface Piece {
  plain: string
  /** What comes after it. */
  secret: string | undefined
}

/** `before` is what stands before the text. */
function split(text: string, before = ''): Piece[] {
  const pieces = text.split(REDACTED)
  return pieces.map((plain, index) => ({
    plain,
    secret: index < pieces.length - 1 ? toName(index === 0 ? before + plain : plain) : undefined,
  }))
}

function toName(before: string): string {
  const name = /([\w-]{1,40})(?:"?\s?[:=]\s?"?|>)$/.exec(before.slice(-60))?.[1] ?? 'SECRET'
  return name.toUpperCase().replaceAll('-', '_')
}

/** In single quotes nothing is special; secrets are let in between them. */
function quoteForShell(text: string): string {
  const quoted = split(text).map(({ plain, secret }) => {
    const quotes = plain === '' ? '' : `'${plain.replaceAll("'", "'\\''")}'`
    return quotes + (secret === undefined ? '' : `"$${secret}"`)
  })
  return quoted.join('') || "''"
}

function quoteForCode(text: string, before = ''): string {
  if (!text.includes(REDACTED)) return `'${escapeCode(text).replaceAll("'", "\\'")}'`
  const pieces = split(text, before).map(({ plain, secret }) => {
    const quoted = escapeCode(plain).replaceAll('`', '\\`').replaceAll('${', '\\${')
    return quoted + (secret === undefined ? '' : `\${${toVariable(secret)}}`)
  })
  return `\`${pieces.join('')}\``
}

function escapeCode(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}

function toVariable(name: string): string {
  return `process.env['${name}']`
}
