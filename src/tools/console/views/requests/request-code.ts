import { passingCallHeaders, serverHeaders } from '#contract/files/passing-headers.ts'
import type { Entry } from '#tools/console/types.ts'

/** Only the browser's own requests need these headers. */
const fromBrowsers = /^(sec-|accept-language$|referer$|cache-control$|pragma$|dnt$|upgrade-insecure-requests$)/

export interface Sent {
  method: string
  path: string
  headers: [name: string, value: string][]
  body: string | undefined
  /** The journal keeps no files. */
  hasFile: boolean
}

export function toSent({ method = 'GET', path = '/', query, request }: Entry): Sent {
  const { headers = {}, body } = request ?? {}
  const hasFile = headers['content-type']?.startsWith('multipart/') ?? false
  const kept = Object.entries(headers).filter(
    ([name, value]) =>
      !(
        passingCallHeaders.has(name) ||
        serverHeaders.has(name) ||
        fromBrowsers.test(name) ||
        (name === 'accept' && value === '*/*')
      ) && !(hasFile && name === 'content-type'),
  )
  return {
    method,
    path: query === undefined ? path : `${path}?${query}`,
    headers: kept,
    body: hasFile || body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    hasFile,
  }
}

export const forms = [
  ['curl', 'curl'],
  ['httpie', 'HTTPie'],
  ['fetch', 'fetch'],
  ['test', 'Test'],
] as const
export type CodeForm = (typeof forms)[number][0]

export function toCode(form: CodeForm, sent: Sent, base: string, status = 200): string {
  if (form === 'fetch') return toFetch(sent, quoteForCode(base + sent.path))
  if (form === 'test') return toTest(sent, status)
  const wanted = sent.hasFile ? `: "\${FILE:?set it first}"\n` : ''
  return wanted + (form === 'curl' ? toCurl(sent, base) : toHttpie(sent, base))
}

function toCurl({ method, path, headers, body, hasFile }: Sent, base: string): string {
  const how = method === 'GET' ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `
  // curl takes brackets for ranges unless it is told otherwise.
  const plainly = /[[\]{}]/.test(path) ? '--globoff ' : ''
  const parts = [`curl ${how}${plainly}${quoteForShell(base + path)}`]
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

function toFetch({ method, headers, body, hasFile }: Sent, target: string): string {
  const lines = [
    ...(hasFile
      ? [
          "import { openAsBlob } from 'node:fs'",
          'const form = new FormData()',
          "form.append('file', await openAsBlob(process.env['FILE']))",
        ]
      : []),
    `const reply = await fetch(${target}, {`,
    `  method: '${method}',`,
    ...(headers.length > 0
      ? ['  headers: {', ...headers.map(([name, value]) => `    '${name}': ${quoteForCode(value)},`), '  },']
      : []),
    ...(hasFile ? ['  body: form,'] : body === undefined ? [] : [`  body: ${quoteForCode(body)},`]),
    '})',
  ]
  return lines.join('\n')
}

/** Each run has a world at its own address. */
function toTest(sent: Sent, status: number): string {
  const body = toFetch(sent, `world.url + ${quoteForCode(sent.path)}`).split('\n')
  const imports = body.filter((line) => line.startsWith('import '))
  const rest = body.filter((line) => !line.startsWith('import '))
  return [
    "import { expect } from 'vitest'",
    "import { test } from 'vendor-cloud/vitest'",
    ...imports,
    '',
    `test('${sent.method} ${sent.path.replace(/\?.*/s, '').replaceAll("'", '')} answers ${status}', async ({ world }) => {`,
    ...rest.map((line) => `  ${line}`),
    `  expect(reply.status).toBe(${status})`,
    '})',
  ].join('\n')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function quoteForCode(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `'${escaped.replaceAll("'", "\\'")}'`
}
