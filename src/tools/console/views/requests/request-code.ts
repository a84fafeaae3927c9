import { passingCallHeaders, serverHeaders } from '#contract/files/passing-headers.ts'
import { toShellWord, variablesOf } from '#tools/cases/view/curl-script.ts'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'

/** Browsers add these headers themselves, and other clients do not need them. */
const fromBrowsers = /^(sec-|accept-language$|referer$|cache-control$|pragma$|dnt$|upgrade-insecure-requests$)/

export interface Sent {
  method: string
  path: string
  headers: [name: string, value: string][]
  body: string | undefined
  /** If true, the request contained a file, which the journal does not store. */
  hasFile: boolean
  /** If true, the server rejected the request before it read the body. */
  lacksBody: boolean
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
    lacksBody: !hasFile && body === undefined && hadBody(headers),
  }
}

export function hadBody(headers: Readonly<Record<string, string>>): boolean {
  const length = headers['content-length']
  if (length !== undefined) return Number(length) > 0
  return 'transfer-encoding' in headers || 'content-type' in headers
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

export const languages: Readonly<Record<string, string>> = Object.fromEntries(forms)

/** Only the first three of these formats can send files. */
export const formsFor = ({ hasFile }: Sent) => (hasFile ? forms.slice(0, 3) : forms)

export function toCode(form: CodeForm, sent: Sent, base: string, status = 200): string {
  return templates[form](sent, base, status)
}

/** JSON strings are also valid string literals in Python, Java and Go. */
const quote = (text: string) => JSON.stringify(text)
const quoteForPhp = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const quoteForScript = (text: string) => quoteForPhp(text).replaceAll('\n', '\\n').replaceAll('\r', '\\r')

const join = (...lines: (string | false | string[])[]) =>
  lines
    .flat()
    .filter((line) => line !== false)
    .join('\n')

type Template = (sent: Sent, base: string, status: number) => string

const templates: Readonly<Record<CodeForm, Template>> = {
  curl(sent, base) {
    const { method, path, headers, body, hasFile, lacksBody } = sent
    const how = method === 'GET' ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `
    // By default, curl treats brackets and braces as patterns.
    const plainly = /[[\]{}]/.test(path) ? '--globoff ' : ''
    const parts = [`curl ${how}${plainly}${toShellWord(base + path)}`]
    for (const [name, value] of headers) parts.push(`-H ${toShellWord(`${name}: ${value}`)}`)
    if (hasFile) parts.push(`-F 'file=@'"$FILE"`)
    if (body !== undefined) parts.push(`--data-raw ${toShellWord(body)}`)
    const variables = [...variablesOf(sent), ...(hasFile ? ['FILE'] : [])]
    if (lacksBody) parts[0] = `# The journal does not contain the body of this request.\n${parts[0]}`
    return variables.map((name) => `: "\${${name}:?set it first}"\n`).join('') + parts.join(' \\\n  ')
  },
  fetch: (sent, base) => join(importsOf(sent), linesOfFetch(sent, quoteForScript(base + sent.path))),
  // Each run of the test creates a new world, which has a different URL.
  test: (sent, _base, status) =>
    join(
      "import { expect } from 'vitest'",
      "import { test } from 'vendor-cloud/vitest'",
      importsOf(sent),
      '',
      `test('${sent.method} ${sent.path.replace(/\?.*/s, '').replaceAll("'", '')} responds with ${status}', async ({ world }) => {`,
      linesOfFetch(sent, `world.url + ${quoteForScript(sent.path)}`).map((line) => `  ${line}`),
      `  expect(response.status).toBe(${status})`,
      '})',
    ),
  python: ({ method, path, headers, body }, base) =>
    join(
      'import requests\n\nresponse = requests.request(',
      `    "${method}",`,
      `    ${quote(base + path)},`,
      '    headers={',
      headers.map(([name, value]) => `        ${quote(name)}: ${quote(value)},`),
      '    },',
      body !== undefined && `    data=${quote(body)}.encode(),`,
      ')\nprint(response.status_code, response.text)',
    ),
  java: ({ method, path, headers, body }, base) =>
    join(
      'import java.net.URI;\nimport java.net.http.*;\n\nclass Call {',
      '  public static void main(String[] args) throws Exception {',
      `    var request = HttpRequest.newBuilder(URI.create(${quote(base + path)}))`,
      headers.map(([name, value]) => `      .header(${quote(name)}, ${quote(value)})`),
      `      .method("${method}", HttpRequest.BodyPublishers.${body === undefined ? 'noBody()' : `ofString(${quote(body)})`})`,
      '      .build();',
      '    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
      '    System.out.println(response.statusCode() + " " + response.body());\n  }\n}',
    ),
  go: ({ method, path, headers, body }, base) =>
    join(
      'package main\n\nimport (\n\t"fmt"\n\t"io"\n\t"log"\n\t"net/http"',
      body !== undefined && '\t"strings"',
      ')\n\nfunc main() {',
      `\trequest, err := http.NewRequest("${method}", ${quote(base + path)}, ${body === undefined ? 'nil' : `strings.NewReader(${quote(body)})`})`,
      GO_CHECK,
      headers.map(([name, value]) => `\trequest.Header.Set(${quote(name)}, ${quote(value)})`),
      '\tresponse, err := http.DefaultClient.Do(request)',
      GO_CHECK,
      '\tdefer response.Body.Close()\n\ttext, _ := io.ReadAll(response.Body)',
      '\tfmt.Println(response.Status, string(text))\n}',
    ),
  php: ({ method, path, headers, body }, base) =>
    join(
      `<?php\n$request = curl_init(${quoteForPhp(base + path)});\ncurl_setopt_array($request, [`,
      `  CURLOPT_CUSTOMREQUEST => '${method}',\n  CURLOPT_RETURNTRANSFER => true,`,
      method === 'HEAD' && '  CURLOPT_NOBODY => true,',
      '  CURLOPT_HTTPHEADER => [',
      headers.map(([name, value]) => `    ${quoteForPhp(`${name}: ${value}`)},`),
      '  ],',
      body !== undefined && `  CURLOPT_POSTFIELDS => ${quoteForPhp(body)},`,
      ']);\necho curl_exec($request), PHP_EOL, curl_getinfo($request, CURLINFO_RESPONSE_CODE), PHP_EOL;',
    ),
}

const GO_CHECK = '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}'

const importsOf = ({ hasFile }: Sent) => hasFile && "import { openAsBlob } from 'node:fs'"

function linesOfFetch({ method, headers, body, hasFile }: Sent, target: string): string[] {
  const file = ['const form = new FormData()', "form.append('file', await openAsBlob(process.env['FILE']))"]
  const sent = hasFile ? ['  body: form,'] : body === undefined ? [] : [`  body: ${quoteForScript(body)},`]
  const lines = headers.map(([name, value]) => `    '${name}': ${quoteForScript(value)},`)
  return [
    ...(hasFile ? file : []),
    `const response = await fetch(${target}, {`,
    `  method: '${method}',`,
    ...(lines.length > 0 ? ['  headers: {', ...lines, '  },'] : []),
    ...sent,
    '})',
  ]
}
