import type { View } from '../../ports.ts'
import type { ServiceCenter } from '../../schemas/appointments/service-center.ts'
import type { ProductModel } from '../../schemas/dealer/product.ts'
import type { InStoreDraft } from '../../schemas/in-store/in-store-request.ts'
import { localDate } from '../../schemas/local-times.ts'
import { daysBetween } from '../time.ts'
import { findMisplacedImeis } from '../device-ids.ts'
import { type Finding, finding, invalidInput, notFound } from '../errors.ts'

/** Our choice: how far ahead an appointment in store may be. */
const MAX_DAYS_AHEAD = 60

interface Product {
  model: ProductModel | undefined
  /** The model that stands for a taxonomy entry. */
  dummy: ProductModel | undefined
  walkIn: boolean
}

/**
 * Our choice: a request keeps to the catalogue that operations 36, 38, 39 and 40 show; all that differs is told at
 * once.
 */
export async function assertAcceptable(
  view: View,
  center: ServiceCenter,
  draft: InStoreDraft,
  now: number,
): Promise<void> {
  const product = await requireProduct(view, draft)
  const findings = [
    ...findProductErrors(product, center),
    ...findDeviceErrors(product, draft),
    ...(await findSymptomErrors(view, product, draft.symptoms)),
    ...findDateErrors(center, draft.appointmentDate, now),
  ]
  if (findings.length > 0) throw invalidInput(findings)
}

async function requireProduct(view: View, { modelCode, taxonomyCode }: InStoreDraft): Promise<Product> {
  const model = modelCode === undefined ? undefined : await view.productModels.get(modelCode)
  if (modelCode !== undefined && !model) throw notFound(`there is no model ${modelCode}`)
  const entry = taxonomyCode === undefined ? undefined : await view.taxonomies.get(taxonomyCode)
  if (taxonomyCode !== undefined && !entry) throw notFound('there is no such taxonomy code')
  if (!entry) return { model, dummy: undefined, walkIn: true }
  if (entry.isLeafFlag === 'N') throw invalidInput([finding('body.taxonomyCode', 'must be of the deepest level')])
  const dummy = entry.dummyModelCode === undefined ? undefined : await view.productModels.get(entry.dummyModelCode)
  return { model, dummy, walkIn: entry.walkInFlag === 'Y' }
}

function findProductErrors({ model, dummy, walkIn }: Product, { ascCode, subTypes }: ServiceCenter): Finding[] {
  const findings: Finding[] = []
  const [field, product] = model ? (['modelCode', model] as const) : (['taxonomyCode', dummy] as const)
  if (product && !subTypes.includes(product.subType)) {
    findings.push(finding(`body.${field}`, `is a product that ${ascCode} does not take`))
  }
  if (!walkIn) findings.push(finding('body.taxonomyCode', 'is a product group that is not taken over the counter'))
  if (model && dummy && model.subType !== dummy.subType) {
    findings.push(finding('body.taxonomyCode', `is not the product group of ${model.modelCode}`))
  }
  return findings
}

function findDeviceErrors({ model, dummy }: Product, draft: InStoreDraft): Finding[] {
  const subType = (model ?? dummy)?.subType
  return subType === undefined ? [] : findMisplacedImeis(subType, draft)
}

async function findSymptomErrors(view: View, { model, dummy }: Product, symptoms: string[]): Promise<Finding[]> {
  if ((model ?? dummy)?.bespoke) return []
  const known = await Promise.all(symptoms.map((symptomId) => view.inStoreSymptoms.get(symptomId)))
  return known.flatMap((symptom, i) =>
    symptom?.bespoke ? [finding(`body.symptoms[${i}]`, 'is of the bespoke line, and the product is not')] : [],
  )
}

function findDateErrors({ timeZone }: ServiceCenter, date: string, now: number): Finding[] {
  if (daysBetween(localDate(now, timeZone), date) <= MAX_DAYS_AHEAD) return []
  return [finding('body.appointmentDate', `must be within ${MAX_DAYS_AHEAD} days`)]
}
