import type { Ports } from '../../ports.ts'
import type { TroubleshootingGuide } from '../../schemas/guest/symptom.ts'
import { DomainError } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { newId } from '../ids.ts'
import { assertSymptoms } from './symptoms.ts'

/** Trees are three levels deep, so a `symCode4` is accepted without effect. */
export interface TroubleshootingQuery {
  modelCode: string
  srid?: string | undefined
  symCode1?: string | undefined
  symCode2?: string | undefined
  symCode3?: string | undefined
}

type Needs = Pick<Ports, 'store' | 'clock' | 'random'>

/** Operations 21 and 29: the guide of the symptom of level 3, else the general one for the model. */
export async function readTroubleshootingGuide(
  ports: Needs,
  caller: Identity,
  query: TroubleshootingQuery,
): Promise<TroubleshootingGuide> {
  const { modelCode, symCode1, symCode2, symCode3 } = query
  const model = await ports.store.productModels.get(modelCode)
  if (!model) throw notFound(`there is no model ${modelCode}`)
  await assertSymptoms(ports.store, model.subType, [symCode1, symCode2, symCode3])
  const guides = await ports.store.troubleshootingGuides.find({ where: { subType: model.subType } })
  const guide =
    guides.find(({ symCode }) => symCode === symCode3) ?? guides.find(({ symCode }) => symCode === undefined)
  if (!guide) throw notFound(`there is no guide for the model ${modelCode}`)
  await trackArticle(ports, caller, query, guide)
  return guide
}

/** Document 1, section 4, troubleshooting: recorded when an srid is given and a symptom of level 3 is selected. */
async function trackArticle(
  ports: Needs,
  caller: Identity,
  { srid, modelCode, symCode1, symCode2, symCode3 }: TroubleshootingQuery,
  { guideId }: TroubleshootingGuide,
): Promise<void> {
  if (!srid || !symCode3) return
  const trackingId = await newId(ports.random, 'articleTracking', 'AT')
  const symCodes = [symCode1, symCode2, symCode3].filter((code) => code !== undefined)
  const at = new Date(ports.clock.now()).toISOString()
  await ports.store.transaction(async (tx) => {
    const ticket = await tx.tickets.get(srid)
    const known = ticket ? isOwn(ticket, caller) : await tx.inStoreRequests.get(srid)
    if (known) await tx.articleTrackings.put({ trackingId, srid, modelCode, symCodes, guideId, at })
  })
}

/** To a dealer another company's ticket is as unknown as one that does not exist; a guest has none of his own. */
function isOwn(ticket: { companyId: string }, { companyId }: Identity): boolean {
  return companyId === undefined || ticket.companyId === companyId
}

function notFound(message: string): DomainError {
  return new DomainError('not-found', message, { source: 'our choice' })
}
