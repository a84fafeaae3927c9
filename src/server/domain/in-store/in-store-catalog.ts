import type { Ports } from '#server/ports.ts'
import type { InStoreArticle, InStoreSymptom } from '#contract/records/guest/symptom.ts'
import { notFound } from '../errors.ts'
import { MAX_PAGE } from '../paging.ts'
import { findNearestWalkIn } from '../appointments/service-centers.ts'
import { lookUpZipCode } from '../appointments/zip-codes.ts'

/** Operation 36: the nearest walk-in center that accepts the model. Miles have two decimals. */
export async function lookUpNearestCenter(
  ports: Ports,
  { zipCode, modelCode }: { zipCode: string; modelCode?: string | undefined },
) {
  const place = lookUpZipCode(ports, zipCode, 'our choice: nearest-center')
  const model = modelCode === undefined ? undefined : await ports.store.productModels.get(modelCode)
  const isUnknown = modelCode !== undefined && !model
  const nearest = isUnknown ? undefined : await findNearestWalkIn(ports, place, model?.subType)
  if (!nearest) throw notFound('no service center accepts this model', 'our choice: nearest-center')
  const { ascCode, ascType, ascName, zipCode: centerZipCode } = nearest.center
  return { distance: Math.round(nearest.miles * 100) / 100, ascCode, ascType, ascName, zipCode: centerZipCode }
}

/** Operation 38: one list for the bespoke line and one for the rest. Without `bespoke`, the model decides. */
export async function listInStoreSymptoms(
  { store }: Ports,
  { bespoke, modelCode }: { bespoke?: string | undefined; modelCode?: string | undefined },
): Promise<{ symptoms: InStoreSymptom[] }> {
  const model = modelCode === undefined ? undefined : await store.productModels.get(modelCode)
  const isBespoke = bespoke === undefined ? model?.bespoke === true : bespoke === 'Y'
  return { symptoms: await store.inStoreSymptoms.find({ where: { bespoke: isBespoke } }) }
}

/** Operation 41: returns the guide entries of a symptom, or of all symptoms if `symptomId` is absent. */
export async function listInStoreArticles(
  { store }: Ports,
  { symptomId }: { symptomId?: string | undefined },
): Promise<InStoreArticle[]> {
  return store.inStoreArticles.find({ where: { symptomId }, limit: MAX_PAGE })
}
