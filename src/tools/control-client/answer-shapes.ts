import { toStranger } from './errors.ts'

/** An answer of another shape comes from a stranger, so the error says so instead of a TypeError. */
export function readShape<T>(origin: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw toShapeError(origin, error)
  }
}

export interface Answer {
  status: number
  text: string
}

export interface Wrong {
  expected: string
  why?: string | undefined
}

/** `GET /_control/worlds should answer ..., and answers 200 with <html> (it is no JSON)`. */
export function describeWrong(call: string, { status, text }: Answer, { expected, why }: Wrong): string {
  const came = text.trim() === '' ? 'no body' : text.trim().slice(0, MOST_SHOWN)
  return `${call} should answer ${expected}, and answers ${status} with ${came}${why === undefined ? '' : ` (${why})`}`
}

/** A stranger's answer may be a whole page, so only its beginning is shown. */
const MOST_SHOWN = 100

/** The person who asked reads an address and an expectation, not a TypeError of ours. */
export function toShapeError(origin: string, error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)) return error
  return toStranger(origin, 'what it answers is nothing that vendor-cloud says', error)
}
