import * as z from 'zod'
import { metaOf, unwrap } from '#server/http/input/findings.ts'
import type { Chance } from './chance.ts'

export interface Known {
  schema: z.ZodType
  /** A value that the caller sent must not change, because the response repeats it or depends on it. */
  isNamed(value: string): boolean
  /** Whether the caller selected the fields. If so, a missing field may be one that the caller did not select. */
  isChosen: boolean
}

export const fieldKinds = {
  'json-null': (text, chance, known) => change(text, chance, (value) => findOptional(value, known)),
  'json-enum': (text, chance, known) => change(text, chance, (value) => findOpen(value, known, chance)),
} satisfies Record<string, (text: string, chance: Chance, known: Known) => string>

/** Applies at least one of the changes that `find` returns, and each of the others with a probability of one half. */
function change(text: string, chance: Chance, find: (value: unknown) => (() => void)[]): string {
  const value = JSON.parse(text) as unknown
  const places = find(value)
  if (places.length === 0) return text
  const sure = chance.below(places.length)
  places.forEach((place, i) => {
    if (i === sure || chance.below(2) === 0) place()
  })
  return JSON.stringify(value)
}

/** Sets absent fields to null. Deletes null fields unless a document defines the meaning of null. */
function findOptional(value: unknown, { schema, isChosen }: Known): (() => void)[] {
  const places: (() => void)[] = []
  eachField(value, schema, (object, name, field) => {
    if (!(name in object)) {
      if (field instanceof z.ZodOptional && !isChosen) places.push(() => (object[name] = null))
    } else if (object[name] === null && metaOf(field)['source'] === undefined) places.push(() => delete object[name])
  })
  return places
}

/** Replaces values of enumerations that may grow with values that clients do not know. */
function findOpen(value: unknown, { schema, isNamed }: Known, chance: Chance): (() => void)[] {
  const places: (() => void)[] = []
  const isOpen = (known: unknown, field: z.ZodType) =>
    typeof known === 'string' && metaOf(field)['mayGrow'] === true && !isNamed(known)
  const draw = () => `FURTHER_${chance.below(1000)}`
  eachField(value, schema, (object, name, field) => {
    if (isOpen(object[name], field)) places.push(() => (object[name] = draw()))
    const list = object[name]
    const form = unwrap(field)
    if (!Array.isArray(list) || !(form instanceof z.ZodArray)) return
    list.forEach((each, i) => {
      if (isOpen(each, form.element as z.ZodType)) places.push(() => (list[i] = draw()))
    })
  })
  return places
}

type Visit = (object: Record<string, unknown>, name: string, field: z.ZodType) => void

/** Maximum number of fields to visit. In a long response, it is enough to vary the first fields. */
const VISITED = 2000

function eachField(value: unknown, schema: z.ZodType, visit: Visit): void {
  let left = VISITED
  const walk = (part: unknown, declared: z.ZodType): void => {
    if (part === null || typeof part !== 'object' || left <= 0) return
    const form = formOf(declared, part)
    if (Array.isArray(part)) {
      if (form instanceof z.ZodArray) for (const each of part) walk(each, form.element as z.ZodType)
    } else if (form instanceof z.ZodObject) {
      const object = part as Record<string, unknown>
      for (const [name, field] of Object.entries(form.shape as Record<string, z.ZodType>)) {
        left--
        visit(object, name, field)
        walk(object[name], field)
      }
    }
  }
  walk(value, schema)
}

function formOf(declared: z.ZodType, value: unknown): z.ZodType | undefined {
  const form = unwrap(declared)
  if (!(form instanceof z.ZodUnion)) return form
  const options = form.options as readonly z.ZodType[]
  const found = options.find((option) => option.safeParse(value).success)
  return found && formOf(found, value)
}
