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

const forms = [
  ['curl', 'curl'],
  ['fetch', 'fetch'],
  ['test', 'Vitest'],
  ['python', 'Python'],
  ['java', 'Java'],
  ['go', 'Go'],
  ['php', 'PHP'],
] as const
export type CodeForm = (typeof forms)[number][0]

/** Files are sent by the first three only. */
export const formsFor = ({ hasFile }: Sent) => (hasFile ? forms.slice(0, 3) : forms)

export function toCode(form: CodeForm, sent: Sent, base: string, status = 200): string {
  if (form === 'fetch') return toFetch(sent, quoteForCode(base + sent.path))
  if (form === 'test') return toTest(sent, status)
  return form === 'curl' ? toCurl(sent, base) : writers[form](sent, base + sent.path)
}

function toCurl({ method, path, headers, body, hasFile }: Sent, base: string): string {
  const how = method === 'GET' ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `
  // curl expands brackets as ranges by default.
  const plainly = /[[\]{}]/.test(path) ? '--globoff ' : ''
  const parts = [`curl ${how}${plainly}${quoteForShell(base + path)}`]
  for (const [name, value] of headers) parts.push(`-H ${quoteForShell(`${name}: ${value}`)}`)
  if (hasFile) parts.push(`-F 'file=@'"$FILE"`)
  if (body !== undefined) parts.push(`--data-raw ${quoteForShell(body)}`)
  return (hasFile ? `: "\${FILE:?set it first}"\n` : '') + parts.join(' \\\n  ')
}

/** A JSON string is also a string literal of Python, Java and Go. */
const quote = (text: string) => JSON.stringify(text)
const quoteForPhp = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const writers: Readonly<Record<Exclude<CodeForm, 'curl' | 'fetch' | 'test'>, (sent: Sent, url: string) => string>> = {
  python: ({ method, headers, body }, url) =>
    [
      'import requests',
      '',
      'response = requests.request(',
      `    "${method}",`,
      `    ${quote(url)},`,
      '    headers={',
      ...headers.map(([name, value]) => `        ${quote(name)}: ${quote(value)},`),
      '    },',
      ...(body === undefined ? [] : [`    data=${quote(body)}.encode(),`]),
      ')',
      'print(response.status_code, response.text)',
    ].join('\n'),
  java: ({ method, headers, body }, url) =>
    [
      'import java.net.URI;',
      'import java.net.http.*;',
      '',
      'class Call {',
      '  public static void main(String[] args) throws Exception {',
      `    var request = HttpRequest.newBuilder(URI.create(${quote(url)}))`,
      ...headers.map(([name, value]) => `      .header(${quote(name)}, ${quote(value)})`),
      `      .method("${method}", HttpRequest.BodyPublishers.${body === undefined ? 'noBody()' : `ofString(${quote(body)})`})`,
      '      .build();',
      '    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
      '    System.out.println(response.statusCode() + " " + response.body());',
      '  }',
      '}',
    ].join('\n'),
  go: ({ method, headers, body }, url) =>
    [
      'package main',
      '',
      `import (\n\t"fmt"\n\t"io"\n\t"log"\n\t"net/http"${body === undefined ? '' : '\n\t"strings"'}\n)`,
      '',
      'func main() {',
      `\trequest, err := http.NewRequest("${method}", ${quote(url)}, ${body === undefined ? 'nil' : `strings.NewReader(${quote(body)})`})`,
      '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}',
      ...headers.map(([name, value]) => `\trequest.Header.Set(${quote(name)}, ${quote(value)})`),
      '\tresponse, err := http.DefaultClient.Do(request)',
      '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}',
      '\tdefer response.Body.Close()',
      '\ttext, _ := io.ReadAll(response.Body)',
      '\tfmt.Println(response.Status, string(text))',
      '}',
    ].join('\n'),
  php: ({ method, headers, body }, url) =>
    [
      '<?php',
      `$request = curl_init(${quoteForPhp(url)});`,
      'curl_setopt_array($request, [',
      `  CURLOPT_CUSTOMREQUEST => '${method}',`,
      '  CURLOPT_RETURNTRANSFER => true,',
      ...(method === 'HEAD' ? ['  CURLOPT_NOBODY => true,'] : []),
      '  CURLOPT_HTTPHEADER => [',
      ...headers.map(([name, value]) => `    ${quoteForPhp(`${name}: ${value}`)},`),
      '  ],',
      ...(body === undefined ? [] : [`  CURLOPT_POSTFIELDS => ${quoteForPhp(body)},`]),
      ']);',
      'echo curl_exec($request), PHP_EOL, curl_getinfo($request, CURLINFO_RESPONSE_CODE), PHP_EOL;',
    ].join('\n'),
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
    `const response = await fetch(${target}, {`,
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
    `test('${sent.method} ${sent.path.replace(/\?.*/s, '').replaceAll("'", '')} responds with ${status}', async ({ world }) => {`,
    ...rest.map((line) => `  ${line}`),
    `  expect(response.status).toBe(${status})`,
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
