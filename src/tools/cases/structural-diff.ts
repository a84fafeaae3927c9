import { isDeep } from '../../contract/cases/depth.ts'

/** How what came differs from what was recorded. */
export interface Difference {
  /** Such as `reply.body.items[2].srid`. */
  path: string
  kind: 'missing' | 'further' | 'type' | 'value' | 'order' | 'status' | 'error'
  recorded?: unknown
  actual?: unknown
}

/** Whether two simple values count as equal; asked for those that differ too. */
type Equal = (recorded: unknown, actual: unknown) => boolean

interface Rules {
  equal?: Equal
  /** The part of a list's entry, as JSON, that must come again for it to be the same entry in another place. */
  alike?: (text: string) => string
  /** Whether the order of an object's fields counts. */
  fieldOrder?: boolean
}

/** Where two JSON values differ, field by field. */
export function diffValues(path: string, recorded: unknown, actual: unknown, rules: Rules = {}): Difference[] {
  const { equal = Object.is, fieldOrder = true } = rules
  if (typeOf(recorded) !== typeOf(actual)) return [{ path, kind: 'type', recorded, actual }]
  if (Array.isArray(recorded) && Array.isArray(actual)) return diffLists(path, recorded, actual, rules)
  if (!isObject(recorded) || !isObject(actual)) {
    return equal(recorded, actual) ? [] : [{ path, kind: 'value', recorded, actual }]
  }
  const differences: Difference[] = []
  for (const [name, value] of Object.entries(recorded)) {
    const at = path === '' ? name : `${path}.${name}`
    if (Object.hasOwn(actual, name)) differences.push(...diffValues(at, value, actual[name], rules))
    else differences.push({ path: at, kind: 'missing', recorded: value })
  }
  for (const [name, value] of Object.entries(actual)) {
    if (!Object.hasOwn(recorded, name)) {
      differences.push({ path: path === '' ? name : `${path}.${name}`, kind: 'further', actual: value })
    }
  }
  const [names, others] = [Object.keys(recorded), Object.keys(actual)]
  if (differences.length === 0 && fieldOrder && names.join('\n') !== others.join('\n')) {
    differences.push({ path, kind: 'order', recorded: names, actual: others })
  }
  return differences
}

/** Replies as text: JSON by its fields, anything else by the place where it first differs. */
export function diffTexts(path: string, recorded: string, actual: string, rules: Rules = {}): Difference[] {
  if (recorded === actual) return []
  const [before, after] = [parse(recorded), parse(actual)]
  const found = before && after ? diffValues(path, before.value, after.value, rules) : undefined
  if (found && (found.length > 0 || rules.fieldOrder === false)) return found
  if (!found && rules.equal?.(recorded, actual)) return []
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

function diffLists(path: string, recorded: unknown[], actual: unknown[], rules: Rules): Difference[] {
  if (recorded.length === actual.length && recorded.length > 1) {
    const { alike = (text) => text } = rules
    const [before, after] = [recorded, actual].map((list) => list.map((each) => alike(JSON.stringify(each))))
    const isMoved = before!.join('\n') !== after!.join('\n') && before!.sort().join('\n') === after!.sort().join('\n')
    if (isMoved) return [{ path, kind: 'order', recorded, actual }]
  }
  const differences: Difference[] = []
  for (let i = 0; i < Math.max(recorded.length, actual.length); i++) {
    const at = `${path}[${i}]`
    if (i >= actual.length) differences.push({ path: at, kind: 'missing', recorded: recorded[i] })
    else if (i >= recorded.length) differences.push({ path: at, kind: 'further', actual: actual[i] })
    else differences.push(...diffValues(at, recorded[i], actual[i], rules))
  }
  return differences
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Nothing for what is no JSON, or has too many levels to be walked through: such is compared as text. */
function parse(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isDeep(text) ? undefined : { value }
  } catch {
    return undefined
  }
}
