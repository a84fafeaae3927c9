import type { Ports } from '../../ports.ts'
import type { View } from '../../ports/store.ts'
import type { Taxonomy, TaxonomyEntry } from '../../../contract/records/in-store/taxonomy.ts'
import { type DomainError, notFound } from '../errors.ts'

const ROOT = 'root'

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

/** Operation 40: the root with all levels. */
export async function lookUpTaxonomyTree({ store }: Ports): Promise<Taxonomy> {
  const entries = await store.taxonomies.find()
  const root = entries.find(({ taxonomyCode }) => taxonomyCode === ROOT)
  if (!root) throw unknownCode()
  const below = new Map<string | null, TaxonomyEntry[]>()
  for (const entry of [...entries].sort((a, b) => a.displayOrder - b.displayOrder)) {
    // A root below another entry would make an endless tree.
    if (entry !== root) below.set(entry.upperTaxonomyCode, [...(below.get(entry.upperTaxonomyCode) ?? []), entry])
  }
  return withChildren(root, below)
}

function withChildren(entry: TaxonomyEntry, below: ReadonlyMap<string | null, TaxonomyEntry[]>): Taxonomy {
  const children = (below.get(entry.taxonomyCode) ?? []).map((child) => withChildren(child, below))
  return { ...entry, children }
}

function unknownCode(): DomainError {
  return notFound('there is no such taxonomy code', 'our choice: taxonomies')
}
