import { passingCallHeaders, serverHeaders } from '#contract/files/passing-headers.ts'
import type { HttpBody, HttpRequest } from '#contract/exchange.ts'
import type { CaseStep } from '#contract/files/case.ts'
import { encodePercent } from '#contract/records/decoded-text.ts'
import { toLinePart } from '#tools/client/printable.ts'
import type { CaseView } from './case-view.ts'
import { callOf, nameOf, readRefusal } from './step-view.ts'

/** Headers that the caller did not choose, because browsers, client libraries or recordings add them. */
const ofNobody = /^(?:sec-.*|accept-language|referer|cache-control|pragma|dnt|x-request-id)$/
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** Operating systems limit the length of arguments but not of standard input, so a longer body is piped. */
const LONGEST_WORD = 60_000

type Part = string | { variable: string }

const MARK = /\{\{(token|digest):(\d{1,7})\}\}/g
/** Control characters, lone surrogates and characters that change the text direction could hide what a script does. */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for these characters
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

export function toCurl(step: CaseStep, options: readonly string[] = []): string | undefined {
  const call = callOf(step)
  if (!call || !('reply' in step)) return undefined
  const { method, path, body } = call
  const isStream = String(step.reply.headers?.['content-type']).startsWith('text/event-stream')
  const { pipe, words } = toBody(body)
  const parts = [
    ['curl -sS', ...(isStream ? ['-N --max-time 5'] : []), ...options].join(' '),
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : [`-X ${toMethod(method)}`]),
    ...(/[[\]{}]/.test(path) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(path) ? ['--path-as-is'] : []),
    `"$VENDOR_CLOUD_URL"${toWord(toParts(percentEncode(path).replaceAll(' ', '%20')))}`,
  ]
  const lines = [parts.join(' '), ...toHeaders(call).map((header) => `-H ${header}`), ...words]
  return `${pipe}${lines.join(' \\\n  ')}`
}

export function toCurlScript({ about, steps }: CaseView, only?: number): string {
  const chosen = steps.filter(({ step }) => only === undefined || step === only)
  const brought = new Set<string>()
  const wanted = new Set<string>()
  const blocks: string[] = []
  for (const step of chosen) {
    for (const name of variablesOf(callOf(step))) if (!brought.has(name)) wanted.add(name)
    blocks.push(toBlock(step, brought))
  }
  const name = about.name === undefined ? 'a case' : `the case ${toLinePart(about.name)}`
  const head = [
    '#!/bin/sh',
    `# Sends the requests of ${name} again, which vendor-cloud recorded from ${about.start} on.`,
    '# The comment of a step contains its time, the request and the recorded response.',
    ': "${VENDOR_CLOUD_URL:?set it to the address of a server or world}"',
    ...[...wanted].sort().map((each) => `: "\${${each}:?set it to a secret that the case does not contain}"`),
  ]
  const isWaiting = blocks.some((block) => block.endsWith(' &\n'))
  return `${head.join('\n')}\n\n${blocks.join('\n')}${isWaiting ? 'wait\n' : ''}`
}

function toBlock(step: CaseStep, brought: Set<string>): string {
  const why = readRefusal(step)
  const status = 'reply' in step ? `, recorded response: ${step.reply.status ?? 'none'}` : ''
  const refusal = why ? ` ${why.code}, ${why.message}${why.source === undefined ? '' : ` (${why.source})`}` : ''
  const comment = `# Step ${step.step}, ${step.at}: ${toLinePart(nameOf(step).slice(0, 300) + status + refusal)}\n`
  const body = 'reply' in step ? (step.reply.body ?? '') : ''
  const fresh = variablesOf(body).filter((name) => name.startsWith('TOKEN_') && !brought.has(name))
  for (const name of fresh) brought.add(name)
  if (fresh.length > 0) {
    const taken = fresh.map((name) => `${name}=$(printf '%s\\n' "$reply" | ${toSed(body, name)})\n`)
    return `${comment}reply=$(${toCurl(step)})\nprintf '%s\\n' "$reply"\n${taken.join('')}`
  }
  const command = toCurl(step, ["-w '\\n'"])
  if (command === undefined) return comment
  return `${comment}${command}${command.includes(' -N --max-time ') ? ' &' : ''}\n`
}

/** Text in front of a value, by which `sed` finds the value: a JSON field, a start tag, a parameter, or a few words. */
const NAME = /(?:"[\w-]{1,60}"\s?:\s?"|<[\w:.-]{1,60}>|[?&][\w-]{1,60}=|[\w ,.:/=-]{1,20})$/

function toSed(body: string, name: string): string {
  const parts = toParts(body)
  const at = parts.findIndex((part) => typeof part !== 'string' && part.variable === name)
  const [before, after] = [parts[at - 1], parts[at + 1]]
  const lead = typeof before === 'string' ? (NAME.exec(before)?.[0] ?? '') : ''
  const next = typeof after === 'string' ? (/^[ -~]/.exec(after)?.[0] ?? '') : ''
  const plain = lead.replace(/[\\/.*^$[\]]/g, '\\$&')
  // `[^]*` is not a valid pattern in sed.
  const value = next === '' ? '.*' : `[^${next}]*`
  return `sed -n ${quote(`s/.*${plain}\\(${value}\\).*/\\1/p`)} | head -n 1`
}

/** Names of the shell variables that the secrets in a value become. */
export function variablesOf(value: unknown): string[] {
  const parts = toParts(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  return [...new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.variable])))]
}

function toHeaders({ headers, body }: HttpRequest): string[] {
  const isCoded = typeof body === 'object' && 'coding' in body
  const kept = Object.entries(headers).filter(([name, value]) => {
    const isPassing = passingCallHeaders.has(name) || serverHeaders.has(name) || ofNobody.test(name)
    return HEADER_NAME.test(name) && !isPassing && value !== '*/*' && !(isCoded && name === 'content-encoding')
  })
  const words = kept.flatMap(([name, values]) =>
    [values].flat().map((value) => toWord(toParts(value === '' ? `${name};` : `${name}: ${percentEncode(value)}`))),
  )
  // Without a content type, curl would declare the body as a form.
  const isUntyped = body !== undefined && !kept.some(([name]) => name === 'content-type')
  return isUntyped ? [...words, "'content-type:'"] : words
}

function toBody(body: HttpBody | undefined): { pipe: string; words: string[] } {
  if (body === undefined || (typeof body === 'object' && 'dropped' in body)) return { pipe: '', words: [] }
  const piped = (pipe: string) => ({ pipe: `${pipe} | `, words: ['--data-binary @-'] })
  if (typeof body === 'object' && 'base64' in body) return piped(`printf '%s' ${quote(body.base64)} | base64 -d`)
  const { text, charset } = typeof body === 'string' ? { text: body, charset: 'utf-8' } : body
  const parts: Part[] = toParts(text)
  if (charset !== 'utf-8') return piped(`${toPrintf(parts)} | iconv -f utf-8 -t ${charsets[charset] ?? charset}`)
  if (text.search(STEERING) >= 0 || text.length > LONGEST_WORD) return piped(toPrintf(parts))
  return { pipe: '', words: [`--data-raw ${toWord(parts)}`] }
}

const charsets: Readonly<Record<string, string>> = { 'utf-16le': 'UTF-16LE', 'utf-16be': 'UTF-16BE', latin1: 'LATIN1' }

function toMethod(method: string): string {
  return /^[A-Z]+$/.test(method) ? method : toWord(toParts(percentEncode(method)))
}

/** A placeholder for a secret becomes a variable of the script, such as `TOKEN_1`. */
function toParts(text: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const mark of text.matchAll(MARK)) {
    parts.push(text.slice(at, mark.index), { variable: `${mark[1]!.toUpperCase()}_${mark[2]}` })
    at = mark.index + mark[0].length
  }
  parts.push(text.slice(at))
  return parts.filter((part) => part !== '')
}

/** Quotes text, and replaces its placeholders for secrets with shell variables. */
export const toShellWord = (text: string) => toWord(toParts(text))

/** Quotes the word so that the shell expands only the variables. */
function toWord(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? quote(part) : `"$${part.variable}"`)).join('') || "''"
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function percentEncode(text: string): string {
  return text.replace(STEERING, (sign) => encodePercent(sign))
}

/** `printf` receives control characters as octal escapes. */
function toPrintf(parts: readonly Part[]): string {
  const formats = parts.map((part) => (typeof part === 'string' ? '%b' : '%s')).join('')
  const words = parts.map((part) => (typeof part === 'string' ? quote(toOctal(part)) : `"$${part.variable}"`))
  return `printf '${formats}' ${words.join(' ')}`
}

function toOctal(text: string): string {
  const octal = (byte: number) => `\\0${byte.toString(8).padStart(3, '0')}`
  const toBytes = (sign: string) => [...new TextEncoder().encode(sign)]
  return text.replaceAll('\\', '\\\\').replace(STEERING, (sign) => toBytes(sign).map(octal).join(''))
}
