import * as z from 'zod'
import { instant } from '../formats.ts'
import { explain } from '../issues.ts'
import { BOUNDS, exceeds, MOST_LEVELS, MOST_VALUES } from '../plain-values.ts'
import { PROFILE_HITS, profileHits } from './fault.ts'
import { variation } from './variation.ts'
import { storedProfile, PROFILE_SINCE } from './vendor-profile.ts'
import { findJson } from '../decoded-text.ts'

/** Settings that are parsed as JSON. An invalid value would cause errors in every later request. */
const readAsJson = new Map<string, z.ZodType>([
  ['profile', storedProfile],
  [PROFILE_HITS, profileHits],
  ['variation', variation.nullable()],
])

/** A setting of the world, such as the secret from which stream keys are derived. */
export const setting = z.object({ name: z.string(), value: z.string() }).check((payload) => {
  const { name, value: text } = payload.value
  const refuse = (message: string, path: readonly PropertyKey[] = []): void => {
    payload.issues.push({ code: 'custom', input: text, path: ['value', ...path], message, continue: true })
  }
  if (name === PROFILE_SINCE && !instant.safeParse(text).success) refuse('must be a timestamp')
  const schema = readAsJson.get(name)
  if (!schema) return
  const given = findJson(text)
  if (given === undefined) return refuse('must be JSON')
  if (exceeds(given, BOUNDS)) return refuse(`must have at most ${MOST_VALUES} values in ${MOST_LEVELS} levels`)
  const read = explain(schema, given)
  // Stores the parsed value, so that it does not have to be validated again when it is read.
  if (read.success) payload.value = { name, value: JSON.stringify(read.data) }
  else for (const { message, path } of read.error.issues) refuse(message, path)
})

export const counter = z.object({ kind: z.string(), value: z.int().min(0) })
