import { REDACTED } from '../../../../contract/records/secret-names.ts'
import { secretsOf, type Sent, split } from './sent-request.ts'

export const forms = [
  ['curl', 'curl'],
  ['httpie', 'HTTPie'],
  ['fetch', 'fetch'],
  ['test', 'Test'],
] as const
export type CodeForm = (typeof forms)[number][0]

/** Each secret becomes a variable of the environment, so code can be shared without it. */
export function toCode(form: CodeForm, sent: Sent, base: string, status = 200): string {
  if (form === 'fetch') return toFetch(sent, quoteForCode(base + sent.path))
  if (form === 'test') return toTest(sent, status)
  const wanted = secretsOf(sent).map((name) => `: "\${${name}:?set it first}"\n`)
  return wanted.join('') + (form === 'curl' ? toCurl(sent, base) : toHttpie(sent, base))
}

function toCurl({ method, path, headers, body, hasFile }: Sent, base: string): string {
  const how = method === 'GET' ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `
  // curl takes brackets for ranges unless it is told otherwise.
  const plainly = /[[\]{}]/.test(path.replaceAll(REDACTED, '')) ? '--globoff ' : ''
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
          `form.append('file', await openAsBlob(${toVariable('FILE')}))`,
        ]
      : []),
    `const reply = await fetch(${target}, {`,
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

/** A shell changes nothing in single quotes; secrets stand between them. */
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
