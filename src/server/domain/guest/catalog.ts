import type { Ports } from '#server/ports.ts'
import type { ProductCategory } from '#contract/records/guest/product-category.ts'
import { notFound } from '../errors.ts'
import type { ProductColors } from '#contract/records/dealer/product.ts'
import type { ContactReasonList, OrderHelpForm } from '#contract/records/guest/order-help.ts'

/** ID of the top level of the category tree: document 1, operation 5. */
const ROOT = 'ROOT'

export async function listCategoryChildren({ store }: Ports, id: string): Promise<ProductCategory[]> {
  if (id !== ROOT && !(await store.productCategories.get(id)))
    throw notFound('this category does not exist', 'our choice: unknown-ids')
  return store.productCategories.find({
    where: { parentId: id },
    orderBy: { field: 'displayOrder', direction: 'asc' },
  })
}

/** Operation 28: returns the colors of one model. Without a model code, returns all models that have colors. */
export async function listColors({ store }: Ports, modelCode: string | undefined): Promise<ProductColors> {
  if (modelCode === undefined) {
    const models = await store.productModels.find()
    return { models: models.filter(({ colors }) => colors.length > 0) }
  }
  const model = await store.productModels.get(modelCode)
  if (model) return model
  throw notFound(`model ${modelCode} does not exist`, 'our choice: colors')
}

export async function listContactReasons({ store }: Ports): Promise<ContactReasonList> {
  return { reasons: await store.contactReasons.find({ orderBy: { field: 'displayOrder', direction: 'asc' } }) }
}

export async function requireOrderHelpForm({ store }: Ports, reasonId: string): Promise<OrderHelpForm> {
  const reason = await store.contactReasons.get(reasonId)
  if (reason) return reason
  throw notFound('this contact reason does not exist', 'our choice: unknown-ids')
}
