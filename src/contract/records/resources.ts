import type * as z from 'zod'
import { ctiToken } from './guest/cti-token.ts'
import { customer, customerChanges, customerDraft, responseEntity } from './dealer/customer.ts'
import { customerFeedbackRequest, feedbackReceipt } from './guest/feedback.ts'
import { inStoreDraft, inStoreServiceRequest } from './in-store/in-store-request.ts'
import { journalEntry } from './control/journal.ts'
import { vendorProfile } from './control/vendor-profile.ts'
import { contactReasonList, orderHelpForm } from './guest/order-help.ts'
import { dealerProduct, dealerProductDraft, dealerProductList, productValidation } from './dealer/product.ts'
import { productCategory } from './guest/product-category.ts'
import { inStoreSchedule, schedule } from './appointments/schedule.ts'
import { appointment } from './appointments/appointment.ts'
import { disputeDraft } from './dealer/dispute.ts'
import { generalResponse, serviceRequest, serviceRequestList } from './dealer/service-request.ts'
import { dealerTicket } from './dealer/ticket.ts'
import { storeList, storeLocation } from './dealer/store-location.ts'
import { subscriptionFilter, subscriptionReply } from './events/subscription.ts'
import { inStoreArticle, inStoreSymptoms, symptomResponse } from './guest/symptom.ts'
import { symptomImageMeta } from './guest/symptom-image.ts'
import { taxonomy } from './in-store/taxonomy.ts'
import { zipCodeRecord } from './guest/zip-code.ts'
import { barcode, ptFormat, ptSubFormat, serialType } from './wallet/card.ts'
import { additionalInformation, classification, locations } from './wallet/card-details.ts'

export const resources: Readonly<Record<string, z.ZodType>> = {
  AdditionalInformation: additionalInformation,
  Appointment: appointment,
  Barcode: barcode,
  Classification: classification,
  ContactReason: contactReasonList,
  CtiToken: ctiToken,
  Customer: customer,
  CustomerChanges: customerChanges,
  CustomerDraft: customerDraft,
  CustomerFeedbackRequest: customerFeedbackRequest,
  DealerProduct: dealerProduct,
  DealerProductDraft: dealerProductDraft,
  DealerTicket: dealerTicket,
  FeedbackReceipt: feedbackReceipt,
  GeneralResponse: generalResponse,
  InStoreArticle: inStoreArticle,
  InStoreScheduleResponse: inStoreSchedule,
  InStoreServiceRequest: inStoreDraft,
  InStoreServiceRequestResponse: inStoreServiceRequest,
  InStoreSymptom: inStoreSymptoms,
  ItemWrapperOfDealerProduct: dealerProductList,
  ItemWrapperOfServiceRequest: serviceRequestList,
  ItemWrapperOfStore: storeList,
  JournalEntry: journalEntry,
  Locations: locations,
  OrderHelpField: orderHelpForm,
  PtFormat: ptFormat,
  PtSubFormat: ptSubFormat,
  ProductCategory: productCategory,
  ProductValidation: productValidation,
  ResponseEntity: responseEntity,
  Schedule: schedule,
  SerialType: serialType,
  ServiceRequest: serviceRequest,
  ServiceRequestParam: disputeDraft,
  Store: storeLocation,
  Subscription: subscriptionReply,
  SubscriptionFilter: subscriptionFilter,
  SymptomImageMeta: symptomImageMeta,
  SymptomResponse: symptomResponse,
  Taxonomy: taxonomy,
  VendorProfile: vendorProfile,
  ZipcodeLookupResponse: zipCodeRecord,
}
