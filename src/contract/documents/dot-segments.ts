/** A separator and a dot as servers read them, those that decode first, or twice, included. */
const SEPARATOR = /[/\\]|%(?:25)*(?:2f|5c)/i
/** Some leave what follows `;` out of a segment. */
const DOTS = /^(?:\.|%(?:25)*2e){1,2}(?:;.*)?$/i
const UP = /^(?:\.|%(?:25)*2e){2}(?:;.*)?$/i

/** Segments of a path without its query. */
const segmentsOf = (path: string): string[] => (path.split(/[?#]/, 1)[0] ?? '').split(SEPARATOR)

/** Whether a server may read another path than the one that stands there (RFC 3986, section 5.2.4). */
export function hasDotSegments(path: string): boolean {
  return segmentsOf(path).some((segment) => DOTS.test(segment))
}

/** Whether a path leads above where it begins, such as `/a/../../b`. */
export function leadsAbove(path: string): boolean {
  let level = 0
  for (const segment of segmentsOf(path)) {
    if (UP.test(segment)) level--
    else if (segment !== '' && !DOTS.test(segment)) level++
    if (level < 0) return true
  }
  return false
}
