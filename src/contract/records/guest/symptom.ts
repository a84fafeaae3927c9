import * as z from 'zod'
import { instant, isLeafFlag } from '../formats.ts'

/** Levels 1 to 3 form the symptom tree. Level 4 contains the parts of the product. */
export const symptom = z.object({
  code: z.string(),
  subType: z.string(),
  level: z.int().min(1).max(4),
  parentCode: z.string().nullable(),
  names: z.record(z.string(), z.string()),
  displayOrder: z.int(),
})
export type Symptom = z.infer<typeof symptom>

/** Response of operations 18 and 27: document 1, SymptomResponse. */
export const symptomResponse = z.object({
  subType: z.string(),
  language: z.string(),
  level: z.int(),
  symptoms: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      level: z.int(),
      parentCode: z.string().nullable(),
      isLeafFlag,
    }),
  ),
  troubleshootingAvailable: z.boolean(),
})
export type SymptomResponse = z.infer<typeof symptomResponse>

/** If `symCode` is absent, the guide is the general guide of its subtype. */
export const troubleshootingGuide = z.object({
  guideId: z.string(),
  subType: z.string(),
  symCode: z.string().optional(),
  title: z.string(),
  steps: z.array(z.string()).min(1).max(100),
  parts: z
    .array(z.object({ symCode4: z.string(), name: z.string() }))
    .max(100)
    .optional(),
})
export type TroubleshootingGuide = z.infer<typeof troubleshootingGuide>

/** Records that a guide was read for a service request (document 1, section 4, troubleshooting). */
export const articleTracking = z.object({
  trackingId: z.string(),
  srid: z.string(),
  modelCode: z.string(),
  symCodes: z.array(z.string()).max(10),
  guideId: z.string(),
  at: instant,
})

export const inStoreSymptom = z.object({
  symptomId: z.string(),
  name: z.string(),
  description: z.string(),
  bespoke: z.boolean(),
  hasTsg: z.boolean(),
})
export type InStoreSymptom = z.infer<typeof inStoreSymptom>

/** Response of operation 38: document 1, InStoreSymptom. */
export const inStoreSymptoms = z.object({ symptoms: z.array(inStoreSymptom).max(1000) })

export const inStoreArticle = z.object({
  articleId: z.string(),
  symptomId: z.string(),
  title: z.string(),
  summary: z.string(),
  steps: z.array(z.string()).max(100),
})
export type InStoreArticle = z.infer<typeof inStoreArticle>
