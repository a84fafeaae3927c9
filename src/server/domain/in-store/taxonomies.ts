import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type { Taxonomy, TaxonomyEntry } from '#contract/records/in-store/taxonomy.ts'
import { type DomainError, notFound } from '../errors.ts'
import { groupBy } from '../group-by.ts'

const ROOT = 'root'
/** Maximum depth of the tree. Deeper entries are omitted, because the tree is built and written recursively. */
const MOST_LEVELS = 32

/** Operation 39: includes one level of children. A leaf has no children (our choice). */
export async function lookUpTaxonomy({ store }: Ports, taxonomyCode: string): Promise<Taxonomy> {
  const entry = await store.taxonomies.get(taxonomyCode)
  if (!entry) throw unknownCode()
  const children = await store.taxonomies.find({
    where: { upperTaxonomyCode: taxonomyCode },
    orderBy: { field: 'displayOrder', direction: 'asc' },
  })
  // A group has no `children` here, because an empty list would mean that it is empty, as for a leaf.
  const shown = children.map((child) => (child.isLeafFlag === 'Y' ? { ...child, children: [] } : child))
  return { ...entry, children: shown }
}

/** Also finds a leaf whose placeholder for unknown models is `modelCode`. */
export async function findLeaf({ taxonomies }: View, modelCode: string): Promise<TaxonomyEntry | undefined> {
  const entries = await taxonomies.find()
  const isIn = ({ modelCodes, dummyModelCode }: TaxonomyEntry) =>
    dummyModelCode === modelCode || modelCodes?.includes(modelCode)
  return entries.find(isIn)
}

type Below = ReadonlyMap<string | null, readonly TaxonomyEntry[]>

/** Operation 40. */
export async function lookUpTaxonomyTree({ store }: Ports): Promise<Taxonomy> {
  const entries = await store.taxonomies.find()
  const root = entries.find(({ taxonomyCode }) => taxonomyCode === ROOT)
  if (!root) throw unknownCode()
  // Excludes the root, because the tree would be infinite if the root were below another entry.
  const others = entries.filter((entry) => entry !== root).sort((a, b) => a.displayOrder - b.displayOrder)
  return withChildren(
    root,
    groupBy(others, ({ upperTaxonomyCode }) => upperTaxonomyCode),
  )
}

function withChildren(entry: TaxonomyEntry, below: Below, level = 1): Taxonomy {
  const own = level < MOST_LEVELS ? (below.get(entry.taxonomyCode) ?? []) : []
  return { ...entry, children: own.map((child) => withChildren(child, below, level + 1)) }
}

function unknownCode(): DomainError {
  return notFound('this taxonomy code does not exist', 'our choice: taxonomies')
}
