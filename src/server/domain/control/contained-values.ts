/** Objects must hold the wanted fields and lists an entry for each wanted one; texts and numbers compare as texts. */
export function holds(given: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(given) && holdsEntries(given, wanted)
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof given !== 'object' || given === null) return false
    return holdsFields(given as Record<string, unknown>, wanted as Record<string, unknown>)
  }
  if (given === wanted) return true
  return typeof given !== typeof wanted && isScalar(given) && isScalar(wanted) && String(given) === String(wanted)
}

/** Journals ask it millions of times, and a list of the fields made anew each time would be most of the work. */
function holdsFields(given: Record<string, unknown>, wanted: Record<string, unknown>): boolean {
  for (const name in wanted) {
    if (Object.hasOwn(wanted, name) && !(Object.hasOwn(given, name) && holds(given[name], wanted[name]))) return false
  }
  return true
}

/** So many comparisons cost less than an index. */
const FEW = 1000

function holdsEntries(given: readonly unknown[], wanted: readonly unknown[]): boolean {
  if (!indexes.has(given) && compared(given, wanted) <= FEW) {
    return wanted.every((each) => given.some((entry) => holds(entry, each)))
  }
  const distinct = new Map(wanted.map((each) => [JSON.stringify(each), each]))
  const byLeaf = indexOf(given)
  return [...distinct.values()].every((each) => {
    let candidates = given
    for (const leaf of leavesOf(each)) {
      const holding = byLeaf.get(leaf) ?? []
      if (holding.length < candidates.length) candidates = holding
    }
    return candidates.some((entry) => holds(entry, each))
  })
}

const comparisons = new WeakMap<readonly unknown[], number>()

/** Many who verify at once ask about the same list, so all their comparisons count. */
function compared(given: readonly unknown[], wanted: readonly unknown[]): number {
  const sum = (comparisons.get(given) ?? 0) + given.length * wanted.length
  comparisons.set(given, sum)
  return sum
}

/** Faults ask about one body again and again, so its entries are indexed once by their simple values. */
const indexes = new WeakMap<readonly unknown[], Map<string, unknown[]>>()

function indexOf(list: readonly unknown[]): Map<string, unknown[]> {
  const known = indexes.get(list)
  if (known) return known
  const index = new Map<string, unknown[]>()
  for (const entry of list) {
    for (const leaf of leavesOf(entry)) {
      const entries = index.get(leaf)
      if (!entries) index.set(leaf, [entry])
      else if (entries.at(-1) !== entry) entries.push(entry)
    }
  }
  indexes.set(list, index)
  return index
}

/** A value holds another only if it has all of its simple values, which are compared first. */
function leavesOf(value: unknown, place = '', leaves: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) leaves.push(`${place}=${String(value)}`)
  else if (Array.isArray(value)) for (const each of value) leavesOf(each, `${place}[]`, leaves)
  else for (const name in value) leavesOf((value as Record<string, unknown>)[name], `${place}.${name}`, leaves)
  return leaves
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
