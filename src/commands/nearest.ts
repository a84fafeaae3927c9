/** The name that was probably meant: few letters away, or nothing. */
export function findNearest(given: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, distance: editDistance(given.slice(0, 50), name) }))
  const [best] = ranked.sort((a, b) => a.distance - b.distance)
  return best && best.distance <= Math.max(2, Math.floor(given.length / 3)) ? best.name : undefined
}

/** Levenshtein: how many letters to change, add or leave out. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), row[j]! + 1, next[j - 1]! + 1)
    }
    row = next
  }
  return row[b.length]!
}
