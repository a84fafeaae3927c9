import type { Ports } from '#server/ports.ts'
import type { ProductColors } from '#contract/records/dealer/product.ts'
import { notFound } from '../errors.ts'

/** Operation 28: a model's colors; without a model, those of every model that comes in some. */
export async function listColors({ store }: Ports, modelCode: string | undefined): Promise<ProductColors> {
  if (modelCode === undefined) {
    const models = await store.productModels.find()
    return { models: models.filter(({ colors }) => colors.length > 0) }
  }
  const model = await store.productModels.get(modelCode)
  if (model) return model
  throw notFound(`there is no model ${modelCode}`, 'our choice: colors')
}
