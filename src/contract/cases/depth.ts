/** Deeper JSON could exhaust the stack of recursive code. */
export const MOST_LEVELS = 100

/** Brackets within strings do not count. */
export function isDeep(json: string): boolean {
  let [level, isText] = [0, false]
  for (let i = 0; i < json.length; i++) {
    const sign = json[i]
    if (isText && sign === '\\') i++
    else if (sign === '"') isText = !isText
    else if (isText) continue
    else if (sign === '[' || sign === '{') level++
    else if (sign === ']' || sign === '}') level--
    if (level > MOST_LEVELS) return true
  }
  return false
}
