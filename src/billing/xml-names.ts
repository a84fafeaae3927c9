const START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const ANY_NAME = new RegExp(`[${START}][${START}0-9.\\u00B7\\u0300-\\u036F\\u203F-\\u2040-]*`, 'yu')

/** By ASCII code: 2 for what a name begins with, 1 for what it goes on with. */
const roles = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[A-Za-z_]/.test(character) ? 2 : /[0-9.-]/.test(character) ? 1 : 0
})
const COLON = 58

/** Where the name `prefix:local` or `local` that begins at `at` ends; `at` itself when none begins there. */
export function skipQualifiedName(text: string, at: number): number {
  const end = skipName(text, at)
  if (end === at || text.charCodeAt(end) !== COLON) return end
  const localEnd = skipName(text, end + 1)
  return localEnd === end + 1 ? at : localEnd
}

/** Names are nearly always ASCII: those are stepped through, the others are left to a regular expression. */
function skipName(text: string, at: number): number {
  let end = at
  let code = text.charCodeAt(end)
  if (roles[code] === 2) {
    do code = text.charCodeAt(++end)
    while ((roles[code] ?? 0) > 0)
  }
  if (!(code > 127)) return end
  ANY_NAME.lastIndex = at
  return ANY_NAME.test(text) ? ANY_NAME.lastIndex : at
}

/** Where the white space at `at`, if any, ends. */
export function skipSpace(text: string, at: number): number {
  let end = at
  for (let code = text.charCodeAt(end); isSpace(code); code = text.charCodeAt(++end));
  return end
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
