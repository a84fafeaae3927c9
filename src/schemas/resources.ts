import type { z } from 'zod'
import { ctiToken } from './cti-token.ts'
import { customer, customerChanges, customerDraft, responseEntity } from './customer.ts'
import { customerFeedbackRequest, feedbackReceipt } from './feedback.ts'
import { inStoreDraft, inStoreServiceRequest } from './in-store-request.ts'
import { journalEntry } from './journal.ts'
import { contactReasonList, orderHelpForm } from './order-help.ts'
import { dealerProduct, dealerProductDraft, productValidation } from './product.ts'
import { productCategory } from './product-category.ts'
import { inStoreSchedule, schedule } from './schedule.ts'
import { appointment, disputeDraft, generalResponse, serviceRequest } from './service-request.ts'
import { storeLocation } from './store-location.ts'
import { subscriptionFilter, subscriptionReply } from './subscription.ts'
import { inStoreArticle, inStoreSymptoms, symptomResponse } from './symptom.ts'
import { symptomImageMeta } from './symptom-image.ts'
import { taxonomy } from './taxonomy.ts'
import { zipCodeRecord } from './zip-code.ts'

/** Named resources of the documents, and what the descriptions share: each becomes one component. */
export const resources: Readonly<Record<string, z.ZodType>> = {
  Appointment: appointment,
  ContactReason: contactReasonList,
  CtiToken: ctiToken,
  Customer: customer,
  CustomerChanges: customerChanges,
  CustomerDraft: customerDraft,
  CustomerFeedbackRequest: customerFeedbackRequest,
  DealerProduct: dealerProduct,
  DealerProductDraft: dealerProductDraft,
  FeedbackReceipt: feedbackReceipt,
  GeneralResponse: generalResponse,
  InStoreArticle: inStoreArticle,
  InStoreScheduleResponse: inStoreSchedule,
  InStoreServiceRequest: inStoreDraft,
  InStoreServiceRequestResponse: inStoreServiceRequest,
  InStoreSymptom: inStoreSymptoms,
  JournalEntry: journalEntry,
  OrderHelpField: orderHelpForm,
  ProductCategory: productCategory,
  ProductValidation: productValidation,
  ResponseEntity: responseEntity,
  Schedule: schedule,
  ServiceRequest: serviceRequest,
  ServiceRequestParam: disputeDraft,
  Store: storeLocation,
  Subscription: subscriptionReply,
  SubscriptionFilter: subscriptionFilter,
  SymptomImageMeta: symptomImageMeta,
  SymptomResponse: symptomResponse,
  Taxonomy: taxonomy,
  ZipcodeLookupResponse: zipCodeRecord,
}
