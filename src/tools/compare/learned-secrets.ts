import type { Bindings } from '#contract/files/placeholders.ts'
import type { HttpResponse } from '#contract/exchange.ts'
import { maskIds } from '../cases/unifier.ts'
import { readBody } from './bodies.ts'

const MARK = /\{\{token:(\d+)\}\}/

/** A secret of the other server stands where the recorded reply has its placeholder. */
export function learnSecrets(bindings: Bindings, recorded: HttpResponse, actual: HttpResponse): void {
  if (recorded.body === undefined || !MARK.test(recorded.body)) return
  const [before, after] = [readBody(recorded), readBody(actual)]
  if (before.form === 'none' || before.form !== after.form) return
  learnValue(bindings, before.value, after.value)
}

function learnValue(bindings: Bindings, recorded: unknown, actual: unknown): void {
  if (typeof recorded === 'string') {
    if (typeof actual === 'string') learnText(bindings, recorded, actual)
    return
  }
  if (typeof recorded !== 'object' || recorded === null || typeof actual !== 'object' || actual === null) return
  const values = actual as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries(recorded)) learnValue(bindings, value, values[name])
}

/** Ids, and an address before them, differ between servers, so they match anything. */
function learnText(bindings: Bindings, recorded: string, actual: string): void {
  const marks = [...recorded.matchAll(new RegExp(MARK, 'g'))]
  if (marks.length === 0) return
  const literals = recorded.split(new RegExp(MARK.source.replace(/[()]/g, ''), 'g')).map(toPattern)
  const found = new RegExp(`^${literals.join('([^\\s"&<>]+)')}$`).exec(actual)
  for (const [i, [mark, n]] of marks.entries()) {
    const value = found?.[i + 1]
    if (value !== undefined && bindings.lacks(mark)) bindings.set(Number(n), value)
  }
}

const ADDRESS = /^https?:\/\/[^/?#]+(?:\/w\/[^/]+)?/

function toPattern(literal: string): string {
  const [address = ''] = ADDRESS.exec(literal) ?? []
  const rest = maskIds(literal.slice(address.length)).split('*').map(quote)
  return `${address === '' ? '' : '.*?'}${rest.join('[\\w.:+-]+')}`
}

const quote = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
