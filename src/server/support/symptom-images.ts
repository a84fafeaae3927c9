import { symptomImageOperations } from '#contract/documents/support/symptom-images.ts'
import { uploadSymptomImage } from '../domain/guest/symptom-images.ts'
import { implement } from './operation.ts'

export const symptomImages = implement(symptomImageOperations, {
  26: async ({ ports, caller, query, body }) => uploadSymptomImage(ports, caller, query, body.imageFile),
})
