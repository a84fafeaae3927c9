import { toStranger } from './errors.ts'

/** `read` of an answer that should be vendor-cloud's: of another shape it is a stranger's. */
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

/** The expected kind of answer, and where the answer is another. */
export interface Wrong {
  expected: string
  why?: string | undefined
}

/** `GET /_control/worlds should answer ..., and answers 200 with <html> (it is no JSON)`. */
export function describeWrong(call: string, { status, text }: Answer, { expected, why }: Wrong): string {
  const came = text.trim() === '' ? 'no body' : text.trim().slice(0, MOST_SHOWN)
  return `${call} should answer ${expected}, and answers ${status} with ${came}${why === undefined ? '' : ` (${why})`}`
}

/** Characters of a stranger's answer. */
const MOST_SHOWN = 100

/** The error that reading a stranger's answer throws, for the person who asked. */
export function toShapeError(origin: string, error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)) return error
  return toStranger(origin, 'what it answers is nothing that vendor-cloud says', error)
}
