/** Levels of JSON that whoever walks through a value goes down into. */
export const MOST_LEVELS = 100

/** Whether a text of JSON has more levels than that; brackets within its strings count for nothing. */
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
