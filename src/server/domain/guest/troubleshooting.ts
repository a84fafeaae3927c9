import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type { TroubleshootingGuide } from '#contract/records/guest/symptom.ts'
import { notFound } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Filters } from '../paging.ts'
import { assertSymptoms, DEEPEST } from './symptoms.ts'

export interface TroubleshootingQuery extends Filters<'srid' | 'symCode1' | 'symCode2' | 'symCode3' | 'symCode4'> {
  modelCode: string
}

/**
 * Operations 21 and 29. Our choice: the guide of the level 3 symptom, or all guides below a higher symptom, or without
 * a symptom the general guide of the model.
 */
export async function readTroubleshootingGuide(
  ports: Ports,
  query: TroubleshootingQuery,
): Promise<TroubleshootingGuide> {
  const { modelCode, symCode1, symCode2, symCode3, symCode4 } = query
  const { store } = ports
  const model = await store.productModels.get(modelCode)
  if (!model) throw notFound(`model ${modelCode} does not exist`, 'our choice: guide-choice')
  const codes = [symCode1, symCode2, symCode3, symCode4]
  await assertSymptoms(store, model.subType, codes, 'our choice: guide-branches')
  const guides = await store.troubleshootingGuides.find({ where: { subType: model.subType } })
  const upper = symCode2 ?? symCode1
  const leaf = symCode3 ?? (symCode4 && (await store.symptoms.get(symCode4))?.parentCode)
  const guide =
    (leaf && guides.find(({ symCode }) => symCode === leaf)) ||
    (upper && (await gatherGuides(store, upper, guides))) ||
    guides.find(({ symCode }) => symCode === undefined)
  if (!guide) throw notFound(`model ${modelCode} has no guide`, 'our choice: guide-choice')
  await trackArticle(ports, query, guide)
  return guide
}

/** Each step starts with the title of its guide. Returns undefined if there are no guides. */
async function gatherGuides(
  { symptoms }: View,
  code: string,
  guides: readonly TroubleshootingGuide[],
): Promise<TroubleshootingGuide | undefined> {
  const symptom = await symptoms.get(code)
  const leaves = await findLeaves(symptoms, code)
  const below = leaves.flatMap((leaf) => guides.filter(({ symCode }) => symCode === leaf))
  if (!symptom || below.length === 0) return undefined
  const steps = below.flatMap(({ title, steps }) => steps.map((step) => `${title}: ${step}`))
  return { guideId: `${code}-GUIDES`, subType: symptom.subType, title: symptom.names['E'] ?? code, steps }
}

async function findLeaves(symptoms: View['symptoms'], code: string): Promise<string[]> {
  const orderBy = { field: 'displayOrder', direction: 'asc' } as const
  const below = await symptoms.find({ where: { parentCode: code }, orderBy })
  const children = below.filter(({ level }) => level <= DEEPEST)
  if (children.length === 0) return [code]
  return (await Promise.all(children.map((child) => findLeaves(symptoms, child.code)))).flat()
}

/** Document 1, section 4, troubleshooting. Records that the guide was read, even if the srid does not exist. */
async function trackArticle(
  ports: Ports,
  { srid, modelCode, symCode1, symCode2, symCode3, symCode4 }: TroubleshootingQuery,
  { guideId }: TroubleshootingGuide,
): Promise<void> {
  if (!srid || !symCode3) return
  const trackingId = await newId(ports.random, 'articleTracking', 'AT')
  const symCodes = [symCode1, symCode2, symCode3, symCode4].filter((code) => code !== undefined)
  const at = new Date(ports.clock.now()).toISOString()
  await ports.store.transaction((tx) => tx.articleTrackings.put({ trackingId, srid, modelCode, symCodes, guideId, at }))
}
