export const CUT = '[cut]'

/** Shortens a body to about `space.left` characters, and leaves its structure intact. */
export function cutBody(value: unknown, space: { left: number }): unknown {
  if (space.left <= 0) return CUT
  space.left -= 2
  if (typeof value === 'string') {
    const text = value.slice(0, space.left)
    space.left -= text.length
    return text + (text.length < value.length ? CUT : '')
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const kept: unknown[] = []
    for (const each of value) {
      kept.push(cutBody(each, space))
      if (space.left <= 0) break
    }
    return kept
  }
  const entries = Object.entries(value)
  const kept = new Map<string, unknown>()
  // Lists and objects come last, so that a long list does not hide the page size next to it.
  for (const [name, field] of entries.toSorted(([, a], [, b]) => Number(isLong(a)) - Number(isLong(b)))) {
    if (name.length > space.left) break
    space.left -= name.length
    kept.set(name, cutBody(field, space))
  }
  const inOrder = entries.filter(([name]) => kept.has(name)).map(([name]) => [name, kept.get(name)] as const)
  return Object.fromEntries(kept.size < entries.length ? [...inOrder, [CUT, CUT]] : inOrder)
}

const isLong = (value: unknown) => typeof value === 'object' && value !== null
