/** A path separator, also percent-encoded several times, because servers may decode the path more than once. */
const SEPARATOR = /[/\\]|%(?:25)*(?:2f|5c)/i
/** Some servers ignore `;` and everything after it in a segment. */
const DOTS = /^(?:\.|%(?:25)*2e){1,2}(?:;.*)?$/i
const UP = /^(?:\.|%(?:25)*2e){2}(?:;.*)?$/i

const segmentsOf = (path: string): string[] => (path.split(/[?#]/, 1)[0] ?? '').split(SEPARATOR)

/** Finds `.` and `..` segments, which a server may resolve to a different path (RFC 3986, section 5.2.4). */
export function hasDotSegments(path: string): boolean {
  return segmentsOf(path).some((segment) => DOTS.test(segment))
}

export function leadsAbove(path: string): boolean {
  let level = 0
  for (const segment of segmentsOf(path)) {
    if (UP.test(segment)) level--
    else if (segment !== '' && !DOTS.test(segment)) level++
    if (level < 0) return true
  }
  return false
}
