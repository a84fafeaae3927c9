/**
 * Delta debugging: leaves out as many of `items` as it can, in larger and then in smaller runs, while `holds` of what
 * is left stays true. `holds` is asked for parts of the list in their order, never for all of it.
 */
export async function shrinkList<T>(
  items: readonly T[],
  holds: (left: readonly T[]) => Promise<boolean>,
): Promise<T[]> {
  let left = [...items]
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    let wasShrunk = true
    while (wasShrunk) {
      wasShrunk = false
      // From the end: what comes late is needed by nothing behind it.
      for (let end = left.length; end > 0; end -= size) {
        const from = Math.max(0, end - size)
        const smaller = [...left.slice(0, from), ...left.slice(end)]
        if (!(await holds(smaller))) continue
        left = smaller
        wasShrunk = true
      }
      // Larger runs are tried once: what is missed is found one by one.
      if (size > 1) break
    }
  }
  return left
}
