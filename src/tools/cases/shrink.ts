/**
 * Delta debugging leaves out larger and then smaller runs of `items` while `holds` stays true. `holds` gets the rest in
 * order, and never the whole list.
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
      // Nothing needs a later item, so the search begins at the end.
      for (let end = left.length; end > 0; end -= size) {
        const from = Math.max(0, end - size)
        const smaller = [...left.slice(0, from), ...left.slice(end)]
        if (!(await holds(smaller))) continue
        left = smaller
        wasShrunk = true
      }
      // Larger runs are tried once, since single items find what they miss.
      if (size > 1) break
    }
  }
  return left
}
