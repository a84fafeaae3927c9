import { isDeep } from '#contract/records/plain-values.ts'
import { readXml } from './xml-body.ts'
import { alignLists, type IdMapper } from './list-alignment.ts'

export interface Difference {
  path: string
  kind: 'missing' | 'further' | 'type' | 'value' | 'order' | 'status' | 'error' | 'header'
  recorded?: unknown
  actual?: unknown
}

/** Also called for values that differ, so that implementations can pair the IDs in them. */
type Equal = (recorded: unknown, actual: unknown, path: string) => boolean

export interface Rules {
  equal?: Equal
  /** Without `mapIds`, entries are paired by position, and a reordered list is reported as one difference. */
  mapIds?: IdMapper
  count?: () => void
  fieldOrder?: boolean
}

export function diffValues(path: string, recorded: unknown, actual: unknown, rules: Rules = {}): Difference[] {
  const { equal = Object.is, fieldOrder = true, count = () => {} } = rules
  if (typeOf(recorded) !== typeOf(actual) || !isContainer(recorded)) count()
  if (typeOf(recorded) !== typeOf(actual)) return [{ path, kind: 'type', recorded, actual }]
  if (Array.isArray(recorded) && Array.isArray(actual)) return diffLists(path, recorded, actual, rules)
  if (!isObject(recorded) || !isObject(actual)) {
    return equal(recorded, actual, path) ? [] : [{ path, kind: 'value', recorded, actual }]
  }
  const differences: Difference[] = []
  for (const [name, value] of Object.entries(recorded)) {
    const at = path === '' ? name : `${path}.${name}`
    if (Object.hasOwn(actual, name)) differences.push(...diffValues(at, value, actual[name], rules))
    else {
      count()
      differences.push({ path: at, kind: 'missing', recorded: value })
    }
  }
  for (const [name, value] of Object.entries(actual)) {
    if (!Object.hasOwn(recorded, name)) {
      count()
      differences.push({ path: path === '' ? name : `${path}.${name}`, kind: 'further', actual: value })
    }
  }
  const [names, others] = [Object.keys(recorded), Object.keys(actual)]
  if (differences.length === 0 && fieldOrder && names.join('\n') !== others.join('\n')) {
    differences.push({ path, kind: 'order', recorded: names, actual: others })
  }
  return differences
}

/**
 * JSON is compared field by field, and XML element by element. For text in any other format, and for XML that differs
 * only in prefixes or attributes, only the first difference is reported.
 */
export function diffTexts(path: string, recorded: string, actual: string, rules: Rules = {}): Difference[] {
  if (recorded === actual) return []
  const [before, after] = [parse(recorded), parse(actual)]
  const found = before && after ? diffValues(path, before.value, after.value, rules) : undefined
  if (found && (found.length > 0 || rules.fieldOrder === false)) return found
  if (!found) {
    if (rules.equal?.(recorded, actual, path)) return []
    const elements = diffXml(path, recorded, actual, rules)
    if (elements.length > 0) return elements
  }
  let at = 0
  while (recorded[at] === actual[at]) at++
  const from = Math.max(0, at - 20)
  return [
    {
      path: `${path}[${at}]`,
      kind: 'value',
      recorded: recorded.slice(from, at + 60),
      actual: actual.slice(from, at + 60),
    },
  ]
}

/** The order of elements is part of the schema of a SOAP response. */
export function diffXml(path: string, recorded: string, actual: string, rules: Rules = {}): Difference[] {
  const [before, after] = [recorded, actual].map((text) => (text.startsWith('<') ? readXml(text) : undefined))
  return before && after ? diffValues(path, before.value, after.value, { ...rules, fieldOrder: true }) : []
}

function diffLists(path: string, recorded: unknown[], actual: unknown[], rules: Rules): Difference[] {
  const { pairs, isMoved } = alignLists(recorded, actual, rules.mapIds)
  const differences: Difference[] = isMoved ? [{ path, kind: 'order', recorded, actual }] : []
  if (isMoved && !rules.mapIds) return differences
  for (const [i, j] of pairs) {
    const at = `${path}[${i ?? j}]`
    if (i !== undefined && j !== undefined) differences.push(...diffValues(at, recorded[i], actual[j], rules))
    else {
      rules.count?.()
      if (i === undefined) differences.push({ path: at, kind: 'further', actual: actual[j!] })
      else differences.push({ path: at, kind: 'missing', recorded: recorded[i] })
    }
  }
  return differences
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Returns undefined for text that is not JSON or is nested too deeply for recursion. Such text is compared as text. */
function parse(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isDeep(value) ? undefined : { value }
  } catch {
    return undefined
  }
}
