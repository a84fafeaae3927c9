/** Deeper JSON could exhaust the stack of recursive code. */
export const MOST_LEVELS = 100

const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [...'"\\[]{}'].map((sign) => sign.charCodeAt(0))

/** Brackets within strings do not count. */
export function isDeep(json: string): boolean {
  let [level, isText] = [0, false]
  for (let i = 0; i < json.length; i++) {
    const sign = json.charCodeAt(i)
    if (isText && sign === BACKSLASH) i++
    else if (sign === QUOTE) isText = !isText
    else if (isText) continue
    else if (sign === LIST || sign === OBJECT) level++
    else if (sign === LIST_END || sign === OBJECT_END) level--
    if (level > MOST_LEVELS) return true
  }
  return false
}
