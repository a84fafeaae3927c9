import type { View } from '#server/ports/store.ts'
import type { ServiceCenter } from '#contract/records/appointments/service-center.ts'
import type { ProductModel } from '#contract/records/dealer/product.ts'
import type { InStoreDraft } from '#contract/records/in-store/in-store-request.ts'
import type { TaxonomyEntry } from '#contract/records/in-store/taxonomy.ts'
import { localDate } from '#contract/records/local-times.ts'
import { daysBetween } from '../time.ts'
import { IN_STORE_DAYS } from '../appointments/slots.ts'
import { findDeviceErrors } from '../device-ids.ts'
import { type Finding, finding, invalidInput, notFound } from '../errors.ts'
import type { User } from '../identity.ts'
import { findLeaf } from './taxonomies.ts'

interface Product {
  model: ProductModel | undefined
  replaces: TaxonomyEntry | undefined
  named: TaxonomyEntry | undefined
  dummy: ProductModel | undefined
}

/** Our choice: a request must match the catalog of operations 36, 38, 39 and 40. One error reports all mismatches. */
export async function assertAcceptable(
  view: View,
  center: ServiceCenter,
  draft: InStoreDraft,
  now: number,
): Promise<Product> {
  const product = await requireProduct(view, draft)
  const findings = [
    ...findProductErrors(product, center),
    ...(await findIdErrors(view, product, draft)),
    ...(await findSymptomErrors(view, product, draft.symptoms)),
    ...findDateErrors(center, draft.appointmentDate, now),
  ]
  if (findings.length > 0) throw invalidInput(findings)
  return product
}

/** Our choice: a registration needs the same model and every ID. Some clients send an IMEI as the serial number. */
export async function isRegistered(
  { registeredProducts }: View,
  { userId }: User,
  product: Product,
  { serialNumber, imei }: InStoreDraft,
): Promise<boolean> {
  const ids = [serialNumber, imei].filter((id) => id !== undefined)
  const own = ids.length === 0 ? [] : await registeredProducts.find({ where: { userId } })
  return own.some((each) => {
    const has = (id: string) => id === each.serialNumber || id === each.imei
    const fits = (id: string) => has(id) || (id === imei && each.imei === undefined)
    return isOf(product, each.modelCode) && ids.some(has) && ids.every(fits)
  })
}

const ofProduct = { source: 'our choice: in-store-product' } as const

async function requireProduct(view: View, { modelCode, taxonomyCode }: InStoreDraft): Promise<Product> {
  const model = modelCode === undefined ? undefined : await view.productModels.get(modelCode)
  if (modelCode !== undefined && !model)
    throw notFound(`model ${modelCode} does not exist`, 'our choice: in-store-references')
  const entry = taxonomyCode === undefined ? undefined : await view.taxonomies.get(taxonomyCode)
  if (taxonomyCode !== undefined && !entry)
    throw notFound('this taxonomy code does not exist', 'our choice: in-store-references')
  if (entry?.isLeafFlag === 'N')
    throw invalidInput([
      finding('body.taxonomyCode', 'must be a code of the deepest level', {
        source: 'our choice: in-store-references',
      }),
    ])
  const dummy = entry?.dummyModelCode === undefined ? undefined : await view.productModels.get(entry.dummyModelCode)
  return { model, replaces: model && (await findLeaf(view, model.modelCode)), named: entry, dummy }
}

function findProductErrors(
  { model, replaces, named, dummy }: Product,
  { ascCode, subTypes }: ServiceCenter,
): Finding[] {
  const findings: Finding[] = []
  const [field, product] = model ? (['modelCode', model] as const) : (['taxonomyCode', dummy] as const)
  if (product && !subTypes.includes(product.subType)) {
    findings.push(finding(`body.${field}`, `is a product that ${ascCode} does not accept`, ofProduct))
  }
  const notTaken = 'a product group that stores do not accept'
  if (replaces && replaces.walkInFlag !== 'Y') findings.push(finding('body.modelCode', `is of ${notTaken}`, ofProduct))
  if (named && named.walkInFlag !== 'Y') findings.push(finding('body.taxonomyCode', `is ${notTaken}`, ofProduct))
  const isOther = replaces ? replaces.taxonomyCode !== named?.taxonomyCode : model?.subType !== dummy?.subType
  if (model && named && (replaces ?? dummy) && isOther) {
    findings.push(finding('body.taxonomyCode', `is not the product group of ${model.modelCode}`, ofProduct))
  }
  return findings
}

async function findIdErrors(view: View, product: Product, draft: InStoreDraft): Promise<Finding[]> {
  const subType = (product.model ?? product.dummy)?.subType
  if (subType === undefined) return []
  return findDeviceErrors(view, draft, subType, (modelCode) => isOf(product, modelCode), ofProduct)
}

/** A dummy model matches any model of its product group. */
function isOf({ model, replaces, named }: Product, modelCode: string): boolean {
  const group = replaces ?? named
  if (modelCode === model?.modelCode) return true
  if (model && model.modelCode !== group?.dummyModelCode) return false
  return group?.modelCodes?.includes(modelCode) ?? true
}

async function findSymptomErrors(view: View, { model, dummy }: Product, symptoms: string[]): Promise<Finding[]> {
  if ((model ?? dummy)?.bespoke) return []
  const known = await Promise.all(symptoms.map((symptomId) => view.inStoreSymptoms.get(symptomId)))
  return known.flatMap((symptom, i) =>
    symptom?.bespoke
      ? [finding(`body.symptoms[${i}]`, 'belongs to the bespoke line, but the product does not', ofProduct)]
      : [],
  )
}

function findDateErrors({ timeZone }: ServiceCenter, date: string, now: number): Finding[] {
  if (daysBetween(localDate(now, timeZone), date) <= IN_STORE_DAYS) return []
  return [
    finding('body.appointmentDate', `must be within ${IN_STORE_DAYS} days`, { source: 'our choice: in-store-days' }),
  ]
}
