import { finish, type Work } from './long-work.ts'

/** A shorter text is looked through at once. */
export const SHORT = 16_384
/** A rest comes after so many letters, or matches. */
const LETTERS = 8192
const MATCHES = 64

export interface Found {
  index: number
  text: string
  groups: Readonly<Record<string, string | undefined>>
}

type Write = (found: Found) => string | Work<string>

/** Gives nothing where the work may rest. A global pattern that matches no empty text is expected. */
export function* findInPieces(text: string, pattern: RegExp): Generator<Found | undefined> {
  const [isLong, found] = [text.length > SHORT, text.length > SHORT ? findWithin : findNext]
  for (let at = 0, matches = 0; at <= text.length; ) {
    const next = found(text, pattern, at)
    if (next) {
      // Another search may use the pattern meanwhile, so its place is kept here.
      at = next.index + next.text.length
      yield next
    } else at = isLong ? at + LETTERS + 1 : text.length + 1
    if (isLong && (!next || ++matches % MATCHES === 0)) yield undefined
  }
}

/** So many letters of a text, and what takes their place. */
export interface Piece {
  at: number
  length: number
  instead: string
}

/** As `text.replace` does. */
export function* replaceInPieces(text: string, pattern: RegExp, write: Write): Work<string> {
  if (text.length <= SHORT) return replaceShort(text, pattern, write)
  return yield* rewriteInPieces(text, pattern, function* (found) {
    const instead = write(found)
    const { index: at, text: given } = found
    return { at, length: given.length, instead: typeof instead === 'string' ? instead : yield* instead }
  })
}

/** The piece may stand behind the match; a match within an earlier piece is passed over. */
export function* rewriteInPieces(
  text: string,
  pattern: RegExp,
  toPiece: (found: Found) => Piece | undefined | Work<Piece | undefined>,
): Work<string> {
  let [written, end] = ['', 0]
  for (const found of findInPieces(text, pattern)) {
    if (!found) yield
    if (!found || found.index < end) continue
    const work = toPiece(found)
    const piece = work && Symbol.iterator in work ? yield* work : work
    if (!piece) continue
    written += text.slice(end, piece.at) + piece.instead
    end = piece.at + piece.length
  }
  return written + text.slice(end)
}

export function replaceShort(text: string, pattern: RegExp, write: Write): string {
  return text.replace(pattern, (...given: unknown[]) => {
    const groups = given.at(-1)
    const hasGroups = typeof groups === 'object'
    const index = Number(given.at(hasGroups ? -3 : -2))
    const instead = write({ index, text: String(given[0]), groups: hasGroups ? (groups as Found['groups']) : {} })
    return typeof instead === 'string' ? instead : finish(instead)
  })
}

function findNext(text: string, pattern: RegExp, at: number): Found | undefined {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  return found ? { index: found.index, text: found[0], groups: found.groups ?? {} } : undefined
}

/** The match begins among the next letters, so that none of a long text's searches can take long. */
function findWithin(text: string, pattern: RegExp, at: number): Found | undefined {
  const near = nearOf(pattern)
  near.lastIndex = at
  const found = near.exec(text)
  if (!found) return undefined
  const skipped = found.groups!['skipped']!.length
  return { index: at + skipped, text: found[0].slice(skipped), groups: found.groups! }
}

const known = new WeakMap<RegExp, RegExp>()

function nearOf(pattern: RegExp): RegExp {
  const flags = `${pattern.flags.replace('g', '')}y`
  const near = known.get(pattern) ?? new RegExp(`(?<skipped>[^]{0,${LETTERS}}?)(?:${pattern.source})`, flags)
  known.set(pattern, near)
  return near
}
