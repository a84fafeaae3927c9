/** Delta debugging: removes ever smaller groups while `holds` is true. `holds` never receives the full list. */
export async function shrinkList<T>(
  items: readonly T[],
  holds: (left: readonly T[]) => Promise<boolean>,
): Promise<T[]> {
  let left = [...items]
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    let wasShrunk = true
    while (wasShrunk) {
      wasShrunk = false
      // No item depends on a later item, so removal starts at the end.
      for (let end = left.length; end > 0; end -= size) {
        const from = Math.max(0, end - size)
        const smaller = [...left.slice(0, from), ...left.slice(end)]
        if (!(await holds(smaller))) continue
        left = smaller
        wasShrunk = true
      }
      // Groups of each size are tried only once. Single items are tried until none can be removed.
      if (size > 1) break
    }
  }
  return left
}
