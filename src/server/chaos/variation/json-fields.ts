import * as z from 'zod'
import { metaOf, unwrap } from '#server/http/input/findings.ts'
import type { Chance } from './chance.ts'

/** A change of values must keep the reply right by these facts. */
export interface Known {
  schema: z.ZodType
  /** A value that the caller sent is repeated in the reply, or selects it, so it must not change. */
  isNamed(value: string): boolean
  /** The caller chose the fields, so the others are not absent but were not asked for. */
  isChosen: boolean
}

export const fieldKinds = {
  'json-null': (text, chance, known) => change(text, chance, (value) => findOptional(value, known)),
  'json-enum': (text, chance, known) => change(text, chance, (value) => findOpen(value, known, chance)),
} satisfies Record<string, (text: string, chance: Chance, known: Known) => string>

/** At least one place changes, and half of the others. */
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

/** An absent optional field becomes null, and a null one is left out, unless a document says what it is. */
function findOptional(value: unknown, { schema, isChosen }: Known): (() => void)[] {
  const places: (() => void)[] = []
  eachField(value, schema, (object, name, field) => {
    if (!(name in object)) {
      if (field instanceof z.ZodOptional && !isChosen) places.push(() => (object[name] = null))
    } else if (object[name] === null && metaOf(field)['source'] === undefined) places.push(() => delete object[name])
  })
  return places
}

/** An unknown value is legal where no document closes the set. */
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

/** A long reply varies enough by its beginning. */
const VISITED = 2000

/** Absent fields are visited too. */
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
