import { z } from 'zod'
import { findNearest } from '../../../../contract/records/nearest.ts'
import type { OperationContract } from '../../../../contract/operation.ts'
import { exampleOf } from '../../calls/call.ts'
import type { VendorOperation } from '../../calls/operations.ts'
import type { RefusalFinding } from '../refusal.ts'

interface Shape {
  enum?: unknown[]
  const?: unknown
  anyOf?: Shape[]
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  example?: unknown
  default?: unknown
}

/** Values are ordered from the nearest on; a placeholder such as `{{name}}` counts as no value. */
export function suggest(operation: VendorOperation, { target, message }: RefusalFinding, given: unknown): unknown[] {
  const keys = target.split(/\.|(?=\[\d+\])/)
  const shape = findShape(operation.contract, keys)
  const isMissing = given === undefined || given === '' || given === null
  const near = isMissing ? [] : nearest(shape, given, message)
  const [, sample] = /\bsuch as (\S+)$/.exec(message) ?? []
  const others = [
    findExample(operation, keys),
    shape?.example,
    shape?.const,
    ...(shape?.enum ?? []),
    shape?.default,
    sample,
  ]
  const known = others.filter((value) => value !== undefined && value !== given && !String(value).startsWith('{{'))
  return [...near, ...known]
}

/** The words of the finding come first: the world's profile may allow other values than the document. */
function nearest(shape: Shape | undefined, given: unknown, message: string): unknown[] {
  const [, listed] = /must be (?:one of )?([\w.-]+(?:, [\w.-]+)*)(?:; the nearest is [\w.-]+)?$/.exec(message) ?? []
  const words = listed?.split(', ') ?? (shape?.enum ?? []).map(String)
  const [, least, most] = /whole number from (-?\d+) to (-?\d+)/.exec(message) ?? []
  const [, characters] = /at most (\d+) characters/.exec(message) ?? []
  const [, entries] = /at most (\d+) entries/.exec(message) ?? []
  if (typeof given === 'string' && characters !== undefined) return [cutText(given, Number(characters))]
  if (Array.isArray(given) && entries !== undefined) return [given.slice(0, Number(entries))]
  if (most !== undefined) return [clamp(Number(given), Number(least), Number(most))]
  if (shape?.type === 'array' && !Array.isArray(given)) return [[given]]
  if (shape?.type === 'string' && typeof given === 'number') return [String(given)]
  return words.length === 0 ? [] : nearestWord(String(given).trim(), words)
}

function clamp(given: number, least: number, most: number): number {
  return Number.isFinite(given) ? Math.min(Math.max(Math.trunc(given), least), most) : least
}

function nearestWord(given: string, words: readonly string[]): string[] {
  const same = words.find((word) => word.toLowerCase() === given.toLowerCase())
  const near = same ?? findNearest(given.toUpperCase(), words) ?? findNearest(given, words)
  return near === undefined ? [] : [near]
}

/** Lengths count UTF-16 units, and a surrogate pair is never cut in two. */
function cutText(text: string, most: number): string {
  const cut = text.slice(0, most)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

function findShape({ query, body, params, headers }: OperationContract, [part = '', ...keys]: readonly string[]) {
  const schemas: Readonly<Record<string, z.ZodType | undefined>> = {
    query,
    body,
    params,
    path: params,
    header: headers,
  }
  const schema = schemas[part]
  if (!schema) return undefined
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const name = keys.join('.').replace(/\.\[/g, '[')
  if (part === 'query' && whole.properties?.[name]) return flatten(whole.properties[name])
  return keys.reduce<Shape | undefined>((at, key) => {
    const inner = at && flatten(at)
    return /^\[\d+\]$/.test(key) ? inner?.items : inner?.properties?.[key]
  }, whole)
}

function flatten(shape: Shape): Shape {
  const first = shape.anyOf?.find(({ type }) => type !== 'null')
  return first ? { ...first, ...(shape.example !== undefined && { example: shape.example }) } : shape
}

function findExample(operation: VendorOperation, [part = '', ...keys]: readonly string[]): unknown {
  const { query, body, params, headers } = exampleOf(operation)
  const parts: Readonly<Record<string, unknown>> = { query, body, params, path: params, header: headers }
  return keys.reduce<unknown>((at, key) => {
    const name = key.replace(/^\[(\d+)\]$/, '$1')
    return typeof at === 'object' && at !== null && Object.hasOwn(at, name)
      ? (at as Record<string, unknown>)[name]
      : undefined
  }, parts[part])
}
