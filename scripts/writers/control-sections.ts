import type * as z from 'zod'
import { controlOperations } from '../../src/contract/control/operations.ts'
import type { Heading, OperationContract } from '../../src/contract/operation.ts'
import { toTemplate } from '../../src/server/http/openapi/routes.ts'
import { type Json, toSchema } from '../../src/server/http/openapi/schemas.ts'

type ControlOperation = OperationContract & Heading<string>

/** Writes the calls of each resource between the comments `calls: TAG` and `end of calls`. */
export function putControlSections(page: string): string {
  const all = Object.values<ControlOperation>(controlOperations)
  return [...new Set(all.map(({ tag }) => tag))].reduce((text, tag) => {
    const operations = all.filter((operation) => operation.tag === tag)
    const start = `<!-- calls: ${tag} -->`
    const [before, rest] = text.split(`${start}\n`)
    if (rest === undefined) throw new Error(`the page of the control API has no ${start}`)
    const after = rest.slice(rest.indexOf('<!-- end of calls -->'))
    return `${before}${start}\n\n${operations.map(writeCall).join('\n')}\n${after}`
  }, page)
}

function writeCall({ route, summary = route, params, query, body }: ControlOperation): string {
  const [method = '', path = ''] = route.split(' ')
  // The path already contains the names of its parameters, so only those with a description are listed.
  const inPath = params ? listFields(params).filter((line) => line.includes('): ')) : []
  const parts = [query, body].flatMap((schema) => (schema === undefined ? [] : listFields(schema)))
  const fields = [...inPath, ...parts].map((line) => `${line}\n`).join('')
  return `### ${summary}\n\n\`${method} ${toTemplate(path)}\`\n${fields && `\n${fields}`}`
}

interface Schema {
  $ref?: string
  type?: string
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  default?: unknown
  description?: string
  minimum?: number
  maximum?: number
}

function listFields(schema: z.ZodType): string[] {
  const components: Json = {}
  const resolve = (each: Schema): Schema =>
    each.$ref === undefined ? each : { ...(components[each.$ref.split('/').at(-1)!] as Schema), ...each }
  const whole = toSchema(schema, components) as Schema
  return (whole.anyOf ?? [whole]).flatMap((each) => list(resolve(each), ''))

  function list({ properties = {}, required = [] }: Schema, prefix: string): string[] {
    return Object.entries(properties).flatMap(([name, given]) => {
      const field = resolve(given)
      const description = prefix === 'choices.' ? describeChoice(name, field) : describe(field)
      const line = `- \`${prefix}${name}\` (${describeType(field, required.includes(name))})${description}`
      if (prefix !== '') return [line]
      const inner = field.type === 'array' ? list(resolve(field.items ?? {}), `${name}[].`) : list(field, `${name}.`)
      return [line, ...inner]
    })
  }
}

/** Adds a period, because descriptions that were written for a table have none. */
function describe({ description = '' }: Schema): string {
  return description === '' ? '' : `: ${description}${description.endsWith('.') ? '' : '.'}`
}

/** The description of a choice lists only its values. The page of rules describes what they mean. */
function describeChoice(id: string, schema: Schema): string {
  return `: Sets the choice [${id}](rules.md#${id})${describe(schema) || '.'}`
}

function describeType(schema: Schema, isRequired: boolean): string {
  const { default: value } = schema
  const isDisplayed = value !== undefined && typeof value !== 'object'
  return [
    nameType(schema),
    ...(isRequired && value === undefined ? ['required'] : []),
    ...(isDisplayed ? [`default: \`${String(value)}\``] : []),
  ].join(', ')
}

const MOST_VALUES = 8

function nameType(schema: Schema): string {
  const { $ref, type = $ref === undefined ? 'any' : 'object', format = '', anyOf, items } = schema
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  if (anyOf) return [...new Set(anyOf.map(nameType))].join(' or ')
  // If there are more values, the documentation describes them manually.
  if (values.length > MOST_VALUES) return 'string'
  if (format.startsWith('date')) return { date: 'date', 'date-time': 'timestamp' }[format] ?? type
  if (values.length > 0) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (type === 'array') return `list of ${nameType(items ?? {})}`
  return `${type}${nameRange(schema)}`
}

function nameRange({ minimum, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  if (maximum < 2 ** 31 - 1) return ` from ${minimum ?? 0} to ${maximum}`
  return minimum === undefined || minimum <= 0 ? '' : ` from ${minimum}`
}
