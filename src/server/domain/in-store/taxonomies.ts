import type { Ports } from '../../ports.ts'
import type { View } from '../../ports/store.ts'
import type { Taxonomy, TaxonomyEntry } from '../../../contract/records/in-store/taxonomy.ts'
import { type DomainError, notFound } from '../errors.ts'

const ROOT = 'root'
/** Entries that somebody put deeper than this are left out: a tree is built and written level within level. */
const MOST_LEVELS = 32

/** Operation 39: the entry of a code with one level of children; a leaf has none (our choice). */
export async function lookUpTaxonomy({ store }: Ports, taxonomyCode: string): Promise<Taxonomy> {
  const entry = await store.taxonomies.get(taxonomyCode)
  if (!entry) throw unknownCode()
  const children = await store.taxonomies.find({
    where: { upperTaxonomyCode: taxonomyCode },
    orderBy: { field: 'displayOrder', direction: 'asc' },
  })
  // A group below shows no `children`, which would say that it has none; a leaf shows an empty list.
  const shown = children.map((child) => (child.isLeafFlag === 'Y' ? { ...child, children: [] } : child))
  return { ...entry, children: shown }
}

/** The leaf names the model, or stands for clients that do not know theirs. */
export async function findLeaf({ taxonomies }: View, modelCode: string): Promise<TaxonomyEntry | undefined> {
  const entries = await taxonomies.find()
  const isIn = ({ modelCodes, dummyModelCode }: TaxonomyEntry) =>
    dummyModelCode === modelCode || modelCodes?.includes(modelCode)
  return entries.find(isIn)
}

type Below = ReadonlyMap<string | null, readonly TaxonomyEntry[]>

/** Operation 40: the root with all levels. */
export async function lookUpTaxonomyTree({ store }: Ports): Promise<Taxonomy> {
  const entries = await store.taxonomies.find()
  const root = entries.find(({ taxonomyCode }) => taxonomyCode === ROOT)
  if (!root) throw unknownCode()
  const below = new Map<string | null, TaxonomyEntry[]>()
  for (const entry of [...entries].sort((a, b) => a.displayOrder - b.displayOrder)) {
    // A root below another entry would make an endless tree.
    if (entry === root) continue
    const siblings = below.get(entry.upperTaxonomyCode)
    if (siblings) siblings.push(entry)
    else below.set(entry.upperTaxonomyCode, [entry])
  }
  return withChildren(root, below)
}

function withChildren(entry: TaxonomyEntry, below: Below, level = 1): Taxonomy {
  const own = level < MOST_LEVELS ? (below.get(entry.taxonomyCode) ?? []) : []
  return { ...entry, children: own.map((child) => withChildren(child, below, level + 1)) }
}

function unknownCode(): DomainError {
  return notFound('there is no such taxonomy code', 'our choice: taxonomies')
}
