/**
 * Inputs of createServiceToken. Document 3, section 2
 */
export interface CreateServiceTokenRequest {
/**
 * Seller secret, a number of up to 12 digits
 */
secret: string
}

/**
 * Inputs of getSubscriptionStatus. Document 3, section 2
 */
export interface GetSubscriptionStatusRequest {
purchaseID: string
serviceToken: string
}

/**
 * Output of getSubscriptionStatus. Document 3, section 2
 */
export interface SubscriptionStatus {
subscriptionPurchaseDate: string
subscriptionEndDate: string
subscriptionType: "Item_Type_Auto_Recurring_Subscription"
subscriptionStatus: ("ACTIVE" | "CANCEL")
subscriptionFirstPurchaseID: string
countryCode: string
localCurrencyCode: string
localPrice: number
supplyPrice: number
itemID: string
freeTrial: ("Y" | "N")
realMode: ("Y" | "N")
latestOrderId: string
cancelSubscriptionDate?: string
cancelSubscriptionReason?: ("1" | "2" | "3" | "4" | "5")
totalNumberOfTieredPayment: string
currentPaymentPlan: ("F" | "R" | "T")
totalNumberOfRenewalPayment: string
subscriptionFirstPaymentDate: string
}

export interface Appointment {
appointmentId: string
date: string
startTime: string
endTime: string
timeZone: string
/**
 * MISSED: the appointment ended before it was confirmed, rescheduled or cancelled
 */
status: ("REQUESTED" | "CONFIRMED" | "RESCHEDULED" | "CANCELLED" | "COMPLETED" | "MISSED")
}

export interface ContactReason {
/**
 * @maxItems 1000
 */
reasons: {
reasonId: string
reasonName: string
description: string
displayOrder: number
/**
 * Whether the form asks for an order number
 */
orderRequired: boolean
}[]
}

export interface CtiToken {
token: string
tokenType: "Bearer"
/**
 * Lifetime in seconds
 */
expiresIn: number
issuedAt: string
}

export interface Customer {
/**
 * Business partner number
 */
bpNo: string
/**
 * ID of the dealer company
 */
companyId: string
firstName: string
lastName: string
email: string
phoneNumber: string
mobilePhone?: string
address1: string
address2?: string
city: string
state: string
zipCode: string
country: "US"
createdAt: string
updatedAt: string
}

export interface CustomerChanges {
/**
 * ID of the company of the dealer
 */
companyId?: (string | null)
firstName?: string
lastName?: string
email?: string
/**
 * Phone number in any common notation. Stored as E.164.
 */
phoneNumber?: string
/**
 * Mobile phone number in any common notation. Null or an empty string removes it.
 */
mobilePhone?: (string | null)
address1?: string
/**
 * Second address line. Null or an empty string removes it.
 */
address2?: (string | null)
city?: string
state?: string
zipCode?: string
/**
 * Same value as in the path
 */
bpNo?: (string | null)
}

export interface CustomerDraft {
/**
 * ID of the dealer company
 */
companyId?: string
firstName: string
lastName: string
email: string
/**
 * Phone number in any common notation. Stored as E.164.
 */
phoneNumber: string
/**
 * Phone number in any common notation. Stored as E.164.
 */
mobilePhone?: string
address1: string
address2?: string
city: string
state: string
zipCode: string
}

export interface CustomerFeedbackRequest {
rating: number
/**
 * Comment of 1 to 2000 characters, not counting surrounding white space
 */
comment: string
category?: string
/**
 * ID of the service request
 */
srid?: string
/**
 * Ticket number
 */
ticketNumber?: string
modelCode?: string
email?: string
pageUrl?: string
contactAllowed?: boolean
}

export interface DealerProduct {
productId: string
/**
 * Business partner number
 */
bpNo: string
companyId: string
modelCode: string
serialNumber: string
imei?: string
purchaseDate?: string
purchasePlace?: string
/**
 * IH: in-home, SR: stock repair
 */
serviceType: ("IH" | "SR")
subType: string
category: string
inWarranty: boolean
warrantyEndDate: string
registeredAt: string
}

export interface DealerProductDraft {
/**
 * Same value as in the path
 */
bpNo?: string
/**
 * ID of the company of the dealer
 */
companyId?: string
modelCode: string
/**
 * Serial number with 11 or 15 letters and digits, or IMEI of a mobile device with 15 digits
 */
serialNumber: string
/**
 * IMEI, only for mobile devices
 */
imei?: string
purchaseDate?: string
purchasePlace?: string
/**
 * IH: in-home, SR: stock repair
 */
serviceType: ("IH" | "SR")
}

export interface DealerTicket {
/**
 * Business partner number
 */
bpNo?: string
companyId?: string
modelCode?: string
/**
 * Serial number with 11 or 15 letters and digits, or IMEI of a mobile device with 15 digits
 */
serialNumber?: string
/**
 * IH: in-home, SR: stock repair
 */
serviceType?: ("IH" | "SR")
symCode1?: string
symCode2?: string
symCode3?: string
problemDescription?: string
purchaseDate?: string
ascCode?: string
appointmentDate?: string
/**
 * `slotId` from operation 16
 */
timeSlot?: string
/**
 * Number of a store of the company, see operation 17
 */
storeNumber?: string
dealerReferenceNo?: string
srid?: string
rescheduleReasonCode?: string
}

export interface ErrorBody {
requestId: string
error: {
code: string
message: string
details: {
code: string
message: string
target: string
/**
 * Violated rule: a place in a document, or our choice, see docs/rules.md
 */
source?: string
details: unknown[]
}[]
}
}

export interface FeedbackReceipt {
feedbackId: string
received: true
}

export interface GeneralResponse {
success: boolean
code: string
message: string
/**
 * ID of the service request
 */
srid: string
/**
 * E0001: open, E0002: in process, E0003: closed
 */
status: ("E0001" | "E0002" | "E0003")
}

export interface InStoreArticle {
articleId: string
symptomId: string
title: string
summary: string
/**
 * @maxItems 100
 */
steps: string[]
}

export interface InStoreScheduleResponse {
ascCode: string
ascType: string
timeZone: string
start: string
end: string
schedule: {
date: string
slots: {
startTime: string
endTime: string
capacity: number
remaining: number
}[]
}[]
}

export interface InStoreServiceRequest {
ascType: string
ascCode: string
appointmentDate: string
startTime: string
/**
 * Symptom IDs from operation 38
 * 
 * @minItems 1
 * @maxItems 5
 */
symptoms: string[]
modelCode?: string
taxonomyCode?: string
firstName: string
lastName: string
email: string
zipCode: string
/**
 * Serial number with 11 or 15 letters and digits, or IMEI of a mobile device with 15 digits
 */
serialNumber?: string
/**
 * IMEI, only for mobile devices
 */
imei?: string
sc4uObjectId?: string
problemDescription?: string
remoteId?: string
/**
 * Mobile phone number. Required if the user profile has none (operation 32), otherwise ignored.
 */
mobilePhone?: string
}

export interface InStoreServiceRequestResponse {
/**
 * E0001: open, E0002: in process, E0003: closed
 */
status: ("E0001" | "E0002" | "E0003")
statusDesc: string
/**
 * NO_SHOW: the appointment was missed and not rescheduled within 24 hours
 */
statusReasonCode?: ("COMPLETED" | "CANCELLED" | "NO_SHOW" | "CANCELLED_BY_VENDOR")
statusReasonDesc?: string
/**
 * @maxItems 2005
 */
history: {
at: string
from: (("E0001" | "E0002" | "E0003") | null)
/**
 * E0001: open, E0002: in process, E0003: closed
 */
to: ("E0001" | "E0002" | "E0003")
reason: string
/**
 * Reason code that was sent to operation 9
 */
rescheduleReasonCode?: string
}[]
ascType: string
ascCode: string
appointmentDate: string
startTime: string
/**
 * Symptom IDs from operation 38
 * 
 * @minItems 1
 * @maxItems 5
 */
symptoms: string[]
modelCode?: string
taxonomyCode?: string
firstName: string
lastName: string
email: string
zipCode: string
/**
 * Serial number with 11 or 15 letters and digits, or IMEI of a mobile device with 15 digits
 */
serialNumber?: string
/**
 * IMEI, only for mobile devices
 */
imei?: string
sc4uObjectId?: string
problemDescription?: string
remoteId?: string
mobilePhone?: string
/**
 * ID of the service request
 */
srid: string
/**
 * Ticket number
 */
ticketNumber: string
/**
 * CI: carry-in
 */
serviceType: "CI"
registered: boolean
store: {
ascCode: string
ascType: string
ascName: string
phoneNumber: string
address1: string
city: string
state: string
zipCode: string
timeZone: string
}
appointment: Appointment
/**
 * @maxItems 4
 */
images: SymptomImageMeta[]
createdAt: string
updatedAt: string
}

export interface InStoreSymptom {
/**
 * @maxItems 1000
 */
symptoms: {
symptomId: string
name: string
description: string
bespoke: boolean
hasTsg: boolean
}[]
}

export interface ItemWrapperOfDealerProduct {
/**
 * @maxItems 1000
 */
items: DealerProduct[]
/**
 * Number of matches on all pages
 */
totalCount: number
offset: number
limit: number
/**
 * Whether there are more pages
 */
hasMore: boolean
}

export interface ItemWrapperOfServiceRequest {
/**
 * @maxItems 1000
 */
items: ServiceRequest[]
/**
 * Number of matches on all pages
 */
totalCount: number
offset: number
limit: number
/**
 * Whether there are more pages
 */
hasMore: boolean
}

export interface ItemWrapperOfStore {
/**
 * @maxItems 1000
 */
items: {
storeId?: string
storeNumber?: string
storeName?: string
storePhone?: string
companyId?: string
address1?: string
city?: string
state?: string
zipCode?: string
lat?: number
lng?: number
timeZone?: string
ascCode?: string
ascType?: string
/**
 * @maxItems 70
 */
hours?: {
dayOfWeek: number
open: string
close: string
}[]
/**
 * Days on which the store is closed, including holidays
 * 
 * @maxItems 1000
 */
closedDates?: string[]
/**
 * @maxItems 100
 */
services?: string[]
}[]
/**
 * Number of matches on all pages
 */
totalCount: number
pageNo: number
size: number
/**
 * Whether there are more pages
 */
hasMore: boolean
}

export interface OrderHelpField {
reasonId: string
/**
 * @maxItems 100
 */
fields: {
fieldName: string
label: string
type: ("TEXT" | "TEXTAREA" | "SELECT" | "EMAIL" | "PHONE" | "DATE" | "FILE")
required: boolean
maxLength?: number
/**
 * @maxItems 100
 */
options?: {
value: string
label: string
}[]
displayOrder: number
}[]
}

export interface ProductCategory {
id: string
name: string
parentId: string
level: number
/**
 * Y: the entry has no children
 */
isLeafFlag: ("Y" | "N")
subType?: string
imageUrl?: string
}

export interface ProductValidation {
valid: boolean
/**
 * Whether the device was produced or registered
 */
known: boolean
/**
 * Reason why the device is not valid
 */
reason?: string
prdId: string
prdIdType: ("SERIAL" | "IMEI")
modelCode: string
modelName: string
category: string
inWarranty: boolean
warrantyEndDate: (string | null)
alreadyRegistered: boolean
}

export interface ResponseEntity {
status: number
code: string
message: string
body: Customer
}

export interface Schedule {
zipCode: string
ascCode: string
ascName: string
timeZone: string
schedules: {
date: string
slots: {
slotId: string
startTime: string
endTime: string
available: boolean
remaining: number
/**
 * The caller's requests that can be moved to this window. Present if the window is full and `isReschedule` is true
 * 
 * @maxItems 30
 */
ownRequests?: string[]
}[]
}[]
}

export interface ServiceRequest {
/**
 * E0001: open, E0002: in process, E0003: closed
 */
status: ("E0001" | "E0002" | "E0003")
statusDesc: string
/**
 * NO_SHOW: the appointment was missed and not rescheduled within 24 hours
 */
statusReasonCode?: ("COMPLETED" | "CANCELLED" | "NO_SHOW" | "CANCELLED_BY_VENDOR")
statusReasonDesc?: string
/**
 * @maxItems 2005
 */
history: {
at: string
from: (("E0001" | "E0002" | "E0003") | null)
/**
 * E0001: open, E0002: in process, E0003: closed
 */
to: ("E0001" | "E0002" | "E0003")
reason: string
/**
 * Reason code that was sent to operation 9
 */
rescheduleReasonCode?: string
}[]
/**
 * ID of the service request
 */
srid: string
/**
 * Ticket number
 */
ticketNumber: string
/**
 * IH: in-home, SR: stock repair, DS: dispute
 */
serviceType: ("IH" | "SR" | "DS")
/**
 * Business partner number
 */
bpNo: string
companyId: string
customer: Customer
modelCode: string
serialNumber: string
/**
 * @maxItems 10
 */
symptoms: {
level: number
code: string
name: string
}[]
ascCode?: string
ascName?: string
appointment?: Appointment
/**
 * @maxItems 1000
 */
previousAppointments: Appointment[]
inWarranty: boolean
/**
 * @maxItems 4
 */
images: SymptomImageMeta[]
createdAt: string
updatedAt: string
problemDescription?: string
purchaseDate?: string
storeNumber?: string
dealerReferenceNo?: string
receiptFileKey?: string
}

export interface ServiceRequestParam {
serial: string
modelCode: string
/**
 * Business partner number
 */
bpNo: string
/**
 * Receipt of the company, or the imageId of an image that was uploaded to one of its tickets (operation 26)
 */
receiptFileKey: string
purchaseDate: string
}

export interface SymptomImageMeta {
imageId: string
/**
 * ID of the service request
 */
srid: string
/**
 * Ticket number
 */
ticketNumber: string
fileName: string
contentType: ("image/jpeg" | "image/gif" | "image/bmp" | "image/png")
size: number
sha256: string
sequence: number
uploadedAt: string
}

export interface SymptomResponse {
subType: string
language: string
level: number
symptoms: {
code: string
name: string
level: number
parentCode: (string | null)
/**
 * Y: the entry has no children
 */
isLeafFlag: ("Y" | "N")
}[]
troubleshootingAvailable: boolean
}

export interface Taxonomy {
taxonomyCode: string
taxonomyName: string
upperTaxonomyCode: (string | null)
level: number
/**
 * Y: the entry has no children
 */
isLeafFlag: ("Y" | "N")
dummyModelCode?: string
walkInFlag?: ("Y" | "N")
mailInFlag?: ("Y" | "N")
children?: Taxonomy[]
}

export interface ZipcodeLookupResponse {
/**
 * US ZIP code with 5 digits
 */
zipCode: string
/**
 * City
 */
city: string
/**
 * Two-letter code of the state, territory or armed forces region
 */
state: string
/**
 * Name of the state
 */
stateName: string
/**
 * County. Empty in most territories and for military mail.
 */
county: string
/**
 * Country, always US
 */
country: "US"
/**
 * Latitude in degrees
 */
lat: number
/**
 * Longitude in degrees
 */
lng: number
/**
 * Time zone (IANA name)
 */
timeZone: string
}

/** List contact reasons. Document 1, operation 1: GET /stg/us/contact/reason */
export type GetContactReasonReply = ContactReason

/**
 * List form fields of a reason. Document 1, operation 2: GET /stg/us/contact/reason/fields
 */
export interface GetContactReasonFieldsParameters {
/**
 * Reason ID from operation 1
 */
reasonId: string
}

/** List form fields of a reason. Document 1, operation 2: GET /stg/us/contact/reason/fields */
export type GetContactReasonFieldsReply = OrderHelpField

/** Create a call center token. Document 1, operation 3: POST /stg/us/cti/guest/token */
export type PostCtiGuestTokenReply = CtiToken

/** Save feedback. Document 1, operation 4: POST /stg/us/customerFeedback */
export type PostCustomerFeedbackRequest = CustomerFeedbackRequest

/** Save feedback. Document 1, operation 4: POST /stg/us/customerFeedback */
export type PostCustomerFeedbackReply = FeedbackReceipt

/**
 * List child categories. Document 1, operation 5: GET /stg/us/dealer/categories/{id}/children
 */
export interface GetDealerCategoriesIdChildrenParameters {
/**
 * Category ID, or ROOT for the top level
 */
id: string
}

/**
 * List child categories. Document 1, operation 5: GET /stg/us/dealer/categories/{id}/children
 */
export type GetDealerCategoriesIdChildrenReply = ProductCategory[]

/**
 * Find a customer. Document 1, operation 6: GET /stg/us/dealer/customers
 */
export interface GetDealerCustomersParameters {
/**
 * First name, ignoring case
 */
firstName?: string
/**
 * Last name, ignoring case
 */
lastName?: string
/**
 * ZIP code. Five digits also match 5+4 codes.
 */
zipCode?: string
/**
 * Phone number in any common notation
 */
phoneNumber?: string
/**
 * Business partner number
 */
bpNo?: string
/**
 * Company of the dealer. Another company returns 403.
 */
companyId?: string
}

/** Find a customer. Document 1, operation 6: GET /stg/us/dealer/customers */
export type GetDealerCustomersReply = Customer

/** Create a customer. Document 1, operation 7: POST /stg/us/dealer/customers */
export type PostDealerCustomersRequest = CustomerDraft

/** Create a customer. Document 1, operation 7: POST /stg/us/dealer/customers */
export type PostDealerCustomersReply = ResponseEntity

/**
 * Create a ticket with an appointment. Document 1, operation 8: POST /stg/us/dealer/customers/ticket
 */
export type PostDealerCustomersTicketRequest = (DealerTicket & {
/**
 * Business partner number
 */
bpNo: string
companyId?: string
modelCode: string
/**
 * Serial number with 11 or 15 letters and digits, or IMEI of a mobile device with 15 digits
 */
serialNumber: string
/**
 * IH: in-home, SR: stock repair
 */
serviceType: ("IH" | "SR")
symCode1: string
symCode2?: string
symCode3?: string
problemDescription: string
purchaseDate?: string
ascCode: string
appointmentDate: string
/**
 * `slotId` from operation 16
 */
timeSlot: string
/**
 * Number of a store of the company, see operation 17
 */
storeNumber?: string
dealerReferenceNo?: string
})

/** Create a ticket with an appointment. Document 1, operation 8: POST /stg/us/dealer/customers/ticket */
export type PostDealerCustomersTicketReply = ServiceRequest

/**
 * Reschedule a ticket. Document 1, operation 9: POST /stg/us/dealer/customers/ticket/reschedule
 */
export type PostDealerCustomersTicketRescheduleRequest = (DealerTicket & {
srid: string
companyId?: string
appointmentDate: string
/**
 * `slotId` from operation 16
 */
timeSlot: string
rescheduleReasonCode?: string
})

/** Reschedule a ticket. Document 1, operation 9: POST /stg/us/dealer/customers/ticket/reschedule */
export type PostDealerCustomersTicketRescheduleReply = ServiceRequest

/**
 * Cancel a ticket. Document 1, operation 10: DELETE /stg/us/dealer/customers/ticket/{srid}
 */
export interface DeleteDealerCustomersTicketSridParameters {
srid: string
}

/** Cancel a ticket. Document 1, operation 10: DELETE /stg/us/dealer/customers/ticket/{srid} */
export type DeleteDealerCustomersTicketSridReply = GeneralResponse

/**
 * Find a registered product. Document 1, operation 11: GET /stg/us/dealer/customers/{customerId}/product
 */
export interface GetDealerCustomersCustomerIdProductParameters {
/**
 * Business partner number (`bpNo`) of the customer
 */
customerId: string
/**
 * Same value as in the path. Another value returns 404.
 */
bpNo?: string
/**
 * Company of the dealer. Another company returns 403.
 */
companyId?: string
/**
 * IH: in-home, SR: stock repair
 */
serviceType?: string
/**
 * Model code
 */
modelCode?: string
/**
 * Serial number
 */
serialNumber?: string
}

/** Find a registered product. Document 1, operation 11: GET /stg/us/dealer/customers/{customerId}/product */
export type GetDealerCustomersCustomerIdProductReply = DealerProduct

/**
 * List registered products of a customer. Document 1, operation 12: GET /stg/us/dealer/customers/{customerId}/products
 */
export interface GetDealerCustomersCustomerIdProductsParameters {
/**
 * Business partner number (`bpNo`) of the customer
 */
customerId: string
/**
 * Same value as in the path. Another value returns 404.
 */
bpNo?: string
/**
 * Company of the dealer. Another company returns 403.
 */
companyId?: string
/**
 * IH: in-home, SR: stock repair
 */
serviceType?: string
/**
 * Model code
 */
modelCode?: string
/**
 * Serial number
 */
serialNumber?: string
}

/** List registered products of a customer. Document 1, operation 12: GET /stg/us/dealer/customers/{customerId}/products */
export type GetDealerCustomersCustomerIdProductsReply = ItemWrapperOfDealerProduct

/**
 * Register a product. Document 1, operation 14: POST /stg/us/dealer/customers/{customerId}/products
 */
export interface PostDealerCustomersIdProductsParameters {
/**
 * Business partner number (`bpNo`) of the customer
 */
customerId: string
}

/** Register a product. Document 1, operation 14: POST /stg/us/dealer/customers/{customerId}/products */
export type PostDealerCustomersIdProductsRequest = DealerProductDraft

/** Register a product. Document 1, operation 14: POST /stg/us/dealer/customers/{customerId}/products */
export type PostDealerCustomersIdProductsReply = DealerProduct

/**
 * Edit a customer. Document 1, operation 13: POST /stg/us/dealer/customers/{id}
 */
export interface PostDealerCustomersIdParameters {
/**
 * Business partner number (`bpNo`) of the customer
 */
id: string
}

/** Edit a customer. Document 1, operation 13: POST /stg/us/dealer/customers/{id} */
export type PostDealerCustomersIdRequest = CustomerChanges

/** Edit a customer. Document 1, operation 13: POST /stg/us/dealer/customers/{id} */
export type PostDealerCustomersIdReply = ResponseEntity

/** Dispute a purchase date. Document 1, operation 15: POST /stg/us/dealer/dispute */
export type PostDealerDisputeRequest = ServiceRequestParam

/** Dispute a purchase date. Document 1, operation 15: POST /stg/us/dealer/dispute */
export type PostDealerDisputeReply = ServiceRequest

/**
 * List in-home appointment slots (dealer). Document 1, operation 16: GET /stg/us/dealer/schedule
 */
export interface GetDealerScheduleParameters {
/**
 * US ZIP code with 5 digits. Only the first five digits of a 5+4 code are used.
 */
zipCode?: string
/**
 * Model code. Without it, `subType` selects the product.
 */
modelCode?: string
/**
 * false: only centers that accept out-of-warranty work
 */
inWarranty?: boolean
/**
 * Code of the only service center to search
 */
ascCode?: string
/**
 * Product subtype. Must match the model.
 */
subType?: string
/**
 * true: a full window counts as available if the caller has a booking in it
 */
isReschedule?: boolean
/**
 * Type of visit. Only centers that offer it are searched.
 */
type?: ("PI" | "PII")
}

/** List in-home appointment slots (dealer). Document 1, operation 16: GET /stg/us/dealer/schedule */
export type GetDealerScheduleReply = Schedule

/**
 * List stores. Document 1, operation 17: GET /stg/us/dealer/stores
 */
export interface GetDealerStoresParameters {
"sort.field"?: ("storeId" | "storeNumber" | "storeName" | "storePhone" | "companyId" | "address1" | "city" | "state" | "zipCode" | "lat" | "lng" | "timeZone" | "ascCode" | "ascType")
"sort.direction"?: ("asc" | "desc")
/**
 * true: returns one page. Implied by `pageNo` and `size`. Otherwise the first 100 stores are returned.
 */
pagination?: boolean
/**
 * Page number, starting at 1. Default: 1.
 */
pageNo?: number
size?: number
/**
 * Fields to return, separated by commas. Default: all.
 */
fields?: string
/**
 * Ignored
 */
accessToken?: string
storeId?: string
storeNumber?: string
/**
 * Phone number in any common notation
 */
storePhone?: string
/**
 * Company of the dealer. Another company returns 403.
 */
companyId?: string
}

/** List stores. Document 1, operation 17: GET /stg/us/dealer/stores */
export type GetDealerStoresReply = ItemWrapperOfStore

/**
 * List the next symptom level (dealer). Document 1, operation 18: GET /stg/us/dealer/symptom
 */
export interface GetDealerSymptomParameters {
/**
 * Product subtype. Optional in the document, but required by the server (choice required-bodies)
 */
subType?: string
/**
 * Code of the selected symptom on level 1
 */
symptomLevel1?: string
/**
 * Code of the selected symptom on level 2
 */
symptomLevel2?: string
/**
 * Code of the selected symptom on level 3
 */
symptomLevel3?: string
/**
 * E: English, S: Spanish. Any other value counts as E.
 */
language?: string
}

/** List the next symptom level (dealer). Document 1, operation 18: GET /stg/us/dealer/symptom */
export type GetDealerSymptomReply = SymptomResponse

/**
 * List tickets. Document 1, operation 19: GET /stg/us/dealer/tickets
 */
export interface GetDealerTicketsParameters {
/**
 * @maxItems 10
 */
statusList?: ("E0001" | "E0002" | "E0003")[]
/**
 * Values of `bpNo`
 * 
 * @maxItems 100
 */
bpNoList?: string[]
/**
 * Field to sort by. `srId` is the same as `srid`.
 */
"sorts[0].field"?: ("status" | "statusDesc" | "statusReasonCode" | "statusReasonDesc" | "srid" | "ticketNumber" | "serviceType" | "bpNo" | "companyId" | "modelCode" | "serialNumber" | "ascCode" | "ascName" | "inWarranty" | "createdAt" | "updatedAt" | "problemDescription" | "purchaseDate" | "storeNumber" | "dealerReferenceNo" | "receiptFileKey" | "srId")
/**
 * Default: asc with a sort field. Without a sort field, newest first.
 */
"sorts[0].direction"?: ("asc" | "desc")
/**
 * ID or name of the category of the model
 */
subCategory?: string
ticketNumber?: string
/**
 * Company of the dealer. Another company returns 403.
 */
companyId?: string
/**
 * Phone number in any common notation
 */
phoneNumber?: string
srId?: string
/**
 * IH: in-home, SR: stock repair, DS: dispute
 */
serviceType?: string
offset?: number
limit?: number
}

/** List tickets. Document 1, operation 19: GET /stg/us/dealer/tickets */
export type GetDealerTicketsReply = ItemWrapperOfServiceRequest

/**
 * Get a ticket. Document 1, operation 20: GET /stg/us/dealer/tickets/{id}
 */
export interface GetDealerTicketsIdParameters {
/**
 * ID of the service request (`srid`)
 */
id: string
}

/** Get a ticket. Document 1, operation 20: GET /stg/us/dealer/tickets/{id} */
export type GetDealerTicketsIdReply = ServiceRequest

/**
 * Get a troubleshooting guide (dealer). Document 1, operation 21: GET /stg/us/dealer/troubleshooting
 */
export interface GetDealerTroubleshootingParameters {
modelCode: string
/**
 * ID of the service request for which the guide is read
 */
srid?: string
/**
 * Code of the symptom on level 1
 */
symCode1?: string
/**
 * Code of the symptom on level 2
 */
symCode2?: string
/**
 * Code of the symptom on level 3
 */
symCode3?: string
/**
 * Code of the symptom on level 4
 */
symCode4?: string
}

/**
 * Get a troubleshooting guide (dealer). Document 1, operation 21: GET /stg/us/dealer/troubleshooting
 */
export type GetDealerTroubleshootingReply = string

/** Save guest feedback. Document 1, operation 22: POST /stg/us/guest/customerFeedback */
export type PostGuestCustomerFeedbackRequest = CustomerFeedbackRequest

/** Save guest feedback. Document 1, operation 22: POST /stg/us/guest/customerFeedback */
export type PostGuestCustomerFeedbackReply = FeedbackReceipt

/**
 * Validate a device and its model. Document 1, operation 23: POST /stg/us/guest/product/validation
 */
export interface PostGuestProductValidationParameters {
/**
 * Serial number, or IMEI with 15 digits
 */
prdId: string
modelCode: string
/**
 * Identity of the user, from the cookie
 */
prof_id?: string
/**
 * Serial number or IMEI of the previously validated device
 */
originPrdId?: string
email?: string
}

/** Validate a device and its model. Document 1, operation 23: POST /stg/us/guest/product/validation */
export type PostGuestProductValidationReply = ProductValidation

/**
 * Validate a device. Document 1, operation 24: GET /stg/us/guest/product/validation/{deviceId}
 */
export interface GetGuestProductValidationDeviceIdParameters {
/**
 * Serial number, or IMEI with 15 digits
 */
deviceId: string
/**
 * Ignored
 */
email?: string
}

/** Validate a device. Document 1, operation 24: GET /stg/us/guest/product/validation/{deviceId} */
export type GetGuestProductValidationDeviceIdReply = ProductValidation

/**
 * List in-home appointment slots. Document 1, operation 25: GET /stg/us/guest/schedule
 */
export interface GetGuestScheduleParameters {
/**
 * US ZIP code with 5 digits. Only the first five digits of a 5+4 code are used.
 */
zipCode?: string
/**
 * Model code. Without it, `subType` selects the product.
 */
modelCode?: string
/**
 * false: only centers that accept out-of-warranty work
 */
inWarranty?: boolean
/**
 * Code of the only service center to search
 */
ascCode?: string
/**
 * Product subtype. Must match the model.
 */
subType?: string
/**
 * true: a full window counts as available if the caller has a booking in it
 */
isReschedule?: boolean
/**
 * Type of visit. Only centers that offer it are searched.
 */
type?: ("PI" | "PII")
}

/** List in-home appointment slots. Document 1, operation 25: GET /stg/us/guest/schedule */
export type GetGuestScheduleReply = Schedule

/**
 * Upload a symptom image. Document 1, operation 26: POST /stg/us/guest/serviceRequest/asset/symptomImage
 */
export interface PostGuestServiceRequestAssetSymptomImageParameters {
/**
 * ID of the service request
 */
srid?: string
/**
 * Ticket number
 */
ticketNumber?: string
}

/** Upload a symptom image. Document 1, operation 26: POST /stg/us/guest/serviceRequest/asset/symptomImage */
export type PostGuestServiceRequestAssetSymptomImageReply = SymptomImageMeta

/**
 * List the next symptom level. Document 1, operation 27: GET /stg/us/guest/symptom
 */
export interface GetGuestSymptomParameters {
/**
 * Product subtype. Optional in the document, but required by the server (choice required-bodies)
 */
subType?: string
/**
 * Code of the selected symptom on level 1
 */
symptomLevel1?: string
/**
 * Code of the selected symptom on level 2
 */
symptomLevel2?: string
/**
 * Code of the selected symptom on level 3
 */
symptomLevel3?: string
/**
 * E: English, S: Spanish. Any other value counts as E.
 */
language?: string
}

/** List the next symptom level. Document 1, operation 27: GET /stg/us/guest/symptom */
export type GetGuestSymptomReply = SymptomResponse

/**
 * List colors of a model. Document 1, operation 28: GET /stg/us/guest/symptom/changeColor
 */
export interface GetGuestSymptomChangeColorParameters {
modelCode?: string
}

/**
 * List colors of a model. Document 1, operation 28: GET /stg/us/guest/symptom/changeColor
 */
export type GetGuestSymptomChangeColorReply = ({
modelCode: string
/**
 * @maxItems 100
 */
colors: {
colorCode: string
name: string
}[]
} | {
/**
 * @maxItems 1000
 */
models: {
modelCode: string
/**
 * @maxItems 100
 */
colors: {
colorCode: string
name: string
}[]
}[]
})

/**
 * Get a troubleshooting guide. Document 1, operation 29: GET /stg/us/guest/troubleshooting
 */
export interface GetGuestTroubleshootingParameters {
modelCode: string
/**
 * ID of the service request for which the guide is read
 */
srid?: string
/**
 * Code of the symptom on level 1
 */
symCode1?: string
/**
 * Code of the symptom on level 2
 */
symCode2?: string
/**
 * Code of the symptom on level 3
 */
symCode3?: string
/**
 * Code of the symptom on level 4
 */
symCode4?: string
}

/**
 * Get a troubleshooting guide. Document 1, operation 29: GET /stg/us/guest/troubleshooting
 */
export type GetGuestTroubleshootingReply = string

/**
 * Look up a ZIP code. Document 1, operation 30: GET /stg/us/guest/zipCode
 */
export interface GetGuestZipCodeParameters {
/**
 * US ZIP code with 5 digits. Optional in the document, but required by the server (choice required-bodies)
 */
zipCode?: string
}

/** Look up a ZIP code. Document 1, operation 30: GET /stg/us/guest/zipCode */
export type GetGuestZipCodeReply = ZipcodeLookupResponse

/**
 * Cancel an in-store request. Document 1, operation 31: DELETE /stg/us/instore/cancel
 */
export interface DeleteInstoreCancelParameters {
/**
 * ID of the service request
 */
srid: string
/**
 * ID from another system, which is stored with the request
 */
remoteId?: string
}

/**
 * Cancel an in-store request. Document 1, operation 31: DELETE /stg/us/instore/cancel
 */
export interface DeleteInstoreCancelReply {
cancelled: boolean
}

/**
 * Check whether a profile has a mobile number. Document 1, operation 32: GET /stg/us/instore/checkmobile
 */
export interface GetInstoreCheckmobileReply {
exist: boolean
}

/** Create an in-store request. Document 1, operation 33: POST /stg/us/instore/create */
export type PostInstoreCreateRequest = InStoreServiceRequest

/** Create an in-store request. Document 1, operation 33: POST /stg/us/instore/create */
export type PostInstoreCreateReply = InStoreServiceRequestResponse

/**
 * Get an in-store request. Document 1, operation 34: GET /stg/us/instore/detail
 */
export interface GetInstoreDetailParameters {
/**
 * ID of the service request. Optional in the document, but required by the server (choice required-bodies)
 */
srid?: string
/**
 * Ignored
 */
sc4uObjectId?: string
}

/** Get an in-store request. Document 1, operation 34: GET /stg/us/instore/detail */
export type GetInstoreDetailReply = InStoreServiceRequestResponse

/**
 * Cancel a request by email link. Document 1, operation 35: DELETE /stg/us/instore/noauth/emailcancel
 */
export interface DeleteInstoreNoauthEmailcancelParameters {
/**
 * ID of the service request
 */
srid: string
/**
 * Cancel key from the link in the email
 */
key: string
}

/**
 * Cancel a request by email link. Document 1, operation 35: DELETE /stg/us/instore/noauth/emailcancel
 */
export interface DeleteInstoreNoauthEmailcancelReply {
cancelled: boolean
}

/**
 * Find the nearest walk-in service center. Document 1, operation 36: GET /stg/us/instore/noauth/nearest
 */
export interface GetInstoreNoauthNearestParameters {
/**
 * US ZIP code with 5 digits. Only the first five digits of a 5+4 code are used.. Optional in the document, but required by the server (choice required-bodies)
 */
zipCode?: string
modelCode?: string
/**
 * Ignored
 */
sc4uObjectId?: string
}

/**
 * Find the nearest walk-in service center. Document 1, operation 36: GET /stg/us/instore/noauth/nearest
 */
export interface GetInstoreNoauthNearestReply {
/**
 * Distance in miles
 */
distance: number
ascCode: string
ascType: string
ascName: string
zipCode: string
}

/**
 * List walk-in slots. Document 1, operation 37: GET /stg/us/instore/noauth/slots
 */
export interface GetInstoreNoauthSlotsParameters {
/**
 * First day. Default: today in the time zone of the service center.
 */
start?: string
/**
 * Last day. Default: two weeks after the first day. Days that cannot be booked yet are left out.
 */
end?: string
ascType: string
ascCode: string
/**
 * Ignored
 */
zipCode?: string
/**
 * Ignored
 */
sc4uObjectId?: string
/**
 * Symptom IDs from operation 38. Ignored.
 * 
 * @maxItems 5
 */
symptoms?: string[]
}

/** List walk-in slots. Document 1, operation 37: GET /stg/us/instore/noauth/slots */
export type GetInstoreNoauthSlotsReply = InStoreScheduleResponse

/**
 * List in-store symptoms. Document 1, operation 38: GET /stg/us/instore/noauth/symptoms
 */
export interface GetInstoreNoauthSymptomsParameters {
/**
 * Model whose product line selects the list, if `bespoke` is absent
 */
modelCode?: string
/**
 * Y: symptoms of the bespoke product line. Empty: symptoms of other products.
 */
bespoke?: ("Y" | "")
}

/** List in-store symptoms. Document 1, operation 38: GET /stg/us/instore/noauth/symptoms */
export type GetInstoreNoauthSymptomsReply = InStoreSymptom

/**
 * Get a product group. Document 1, operation 39: GET /stg/us/instore/noauth/taxonomy
 */
export interface GetInstoreNoauthTaxonomyParameters {
upperTaxonomyCode?: string
}

/** Get a product group. Document 1, operation 39: GET /stg/us/instore/noauth/taxonomy */
export type GetInstoreNoauthTaxonomyReply = Taxonomy

/** Get the product group tree. Document 1, operation 40: GET /stg/us/instore/noauth/taxonomyTree */
export type GetInstoreNoauthTaxonomyTreeReply = Taxonomy

/**
 * List in-store troubleshooting articles. Document 1, operation 41: GET /stg/us/instore/noauth/tsg
 */
export interface GetInstoreNoauthTsgParameters {
symptomId?: string
}

/**
 * List in-store troubleshooting articles. Document 1, operation 41: GET /stg/us/instore/noauth/tsg
 */
export type GetInstoreNoauthTsgReply = InStoreArticle[]

export interface Subscription {
/**
 * ID of the subscription
 */
subscriptionId: string
/**
 * URL of the event stream
 */
registrationUrl: string
/**
 * Name of the subscription, which its device events contain
 */
name: string
/**
 * Version of the payload
 */
version: number
/**
 * @maxItems 100
 */
subscriptionFilters: {
/**
 * Type of the IDs in the filter
 */
type: ("SMARTAPPIDS" | "LOCATIONIDS" | "INSTALLEDSMARTAPPIDS" | "DEVICEIDS")
}[]
}

export interface SubscriptionFilter {
/**
 * Type of the IDs in the filter
 */
type: ("SMARTAPPIDS" | "LOCATIONIDS" | "INSTALLEDSMARTAPPIDS" | "DEVICEIDS")
/**
 * IDs. For LOCATIONIDS, the single entry ALL selects all locations of the token.
 * 
 * @minItems 1
 * @maxItems 1000
 */
value: string[]
/**
 * Any of DEVICE_EVENT, DEVICE_LIFECYCLE_EVENT, DEVICE_HEALTH_EVENT. Default: DEVICE_EVENT.
 * 
 * @maxItems 100
 */
eventType?: string[]
/**
 * Only device events of this capability. Absent or *: any capability.
 */
capability?: string
/**
 * Only device events of this attribute. Absent or *: any attribute.
 */
attribute?: string
/**
 * Only device events of this component. Absent or *: any component.
 */
component?: string
}

/**
 * Create a subscription. POST /subscriptions
 */
export interface CreateSubscriptionRequest {
/**
 * Name of the subscription, which its device events contain
 */
name?: string
/**
 * Version of the payload
 */
version?: number
/**
 * @minItems 1
 * @maxItems 100
 */
subscriptionFilters: SubscriptionFilter[]
}

/** Create a subscription. POST /subscriptions */
export type CreateSubscriptionReply = Subscription

/**
 * Get a subscription. GET /subscriptions/{subscriptionId}
 */
export interface GetSubscriptionParameters {
/**
 * ID of the subscription
 */
subscriptionId: string
}

/** Get a subscription. GET /subscriptions/{subscriptionId} */
export type GetSubscriptionReply = Subscription

/**
 * Replace the filters of a subscription. PUT /subscriptions/{subscriptionId}
 */
export interface UpdateSubscriptionParameters {
/**
 * ID of the subscription
 */
subscriptionId: string
}

/**
 * Replace the filters of a subscription. PUT /subscriptions/{subscriptionId}
 */
export interface UpdateSubscriptionRequest {
/**
 * Name of the subscription, which its device events contain
 */
name?: string
/**
 * Version of the payload
 */
version?: number
/**
 * @minItems 1
 * @maxItems 100
 */
subscriptionFilters: SubscriptionFilter[]
}

/** Replace the filters of a subscription. PUT /subscriptions/{subscriptionId} */
export type UpdateSubscriptionReply = Subscription

/**
 * Delete a subscription. DELETE /subscriptions/{subscriptionId}
 */
export interface DeleteSubscriptionParameters {
/**
 * ID of the subscription
 */
subscriptionId: string
}

/**
 * Open an event stream. GET /filters/{subscriptionId}/activate
 */
export interface StreamParameters {
/**
 * ID of the subscription
 */
subscriptionId: string
/**
 * Ignored
 */
filterRegion?: string
/**
 * Key of the stream, from `registrationUrl`. Can replace the bearer token.
 */
key?: string
/**
 * ID of the last received event, for clients that cannot send the Last-Event-ID header
 */
lastEventId?: string
/**
 * Alternative spelling of `lastEventId`
 */
lastEventID?: string
}

/**
 * Additional information
 */
export interface AdditionalInformation {
/**
 * Number of info entries
 */
count: number
/**
 * @maxItems 100
 */
info: {
/**
 * Title of the entry
 */
title: string
/**
 * Lines of the entry
 * 
 * @maxItems 100
 */
content: string[]
}[]
}

/**
 * Serial data and its presentation
 */
export interface Barcode {
serialType: SerialType
ptFormat?: PtFormat
ptSubFormat?: PtSubFormat
/**
 * Value that the barcode encodes
 */
value?: string
}

/**
 * Classification by type of user
 */
export interface Classification {
/**
 * @maxItems 100
 */
person: {
/**
 * Category name
 */
category: string
/**
 * Number of persons
 */
count: (string | number)
}[]
}

/**
 * At most 10 locations. More than 1024 characters of JSON are a warning.
 * 
 * @maxItems 10
 */
export type Locations = {
/**
 * Latitude in degrees
 */
lat?: number
/**
 * Longitude in degrees
 */
lng?: number
/**
 * Full address
 */
address: string
/**
 * Branch name
 */
name: string
}[]

/**
 * Presentation format: BARCODE (barcode only), BARCODESERIAL (barcode with serial number), DUALSERIAL (dual serial number), SERIAL (serial only), DUALBARCODESERIAL (dual barcode with serial number), DUALBARCODE (dual barcode only), BARCODEPIN (barcode with PIN), BARCODESERIALPIN (barcode with serial PIN), IMAGE (image), IMAGESERIAL (image with serial), QRCODESERIAL (QR code with serial number), QRCODE (QR code only)
 */
export type PtFormat = ("BARCODE" | "BARCODESERIAL" | "DUALSERIAL" | "SERIAL" | "DUALBARCODESERIAL" | "DUALBARCODE" | "BARCODEPIN" | "BARCODESERIALPIN" | "IMAGE" | "IMAGESERIAL" | "QRCODESERIAL" | "QRCODE")

/**
 * Barcode format: APIAZTEC (2D Aztec), CODABAR (Codabar), CODE_39 (Code 39), CODE_93 (Code 93), CODE_128 (Code 128), DATA_MATRIX (Data Matrix), EAN_8 (EAN-8), EAN_13 (EAN-13), ITF (Interleaved 2 of 5), MAXICODE (MaxiCode), PDF_417 (PDF417), QR_CODE (QR code), RSS_14 (RSS-14 (GS1 DataBar)), RSS_EXPANDED (RSS Expanded (GS1 DataBar Expanded)), UPC_A (UPC-A), UPC_E (UPC-E), UPC_EAN_EXTENSION (UPC/EAN extension, not stand-alone)
 */
export type PtSubFormat = ("APIAZTEC" | "CODABAR" | "CODE_39" | "CODE_93" | "CODE_128" | "DATA_MATRIX" | "EAN_8" | "EAN_13" | "ITF" | "MAXICODE" | "PDF_417" | "QR_CODE" | "RSS_14" | "RSS_EXPANDED" | "UPC_A" | "UPC_E" | "UPC_EAN_EXTENSION")

/**
 * Barcode display type: SERIALNUMBER (serial number), BARCODE (barcode), QRCODE (QR code), POINTAMOUNT (point amount), URL (URL), IMAGE (image), NONE (no serial data is shown)
 */
export type SerialType = ("SERIALNUMBER" | "BARCODE" | "QRCODE" | "POINTAMOUNT" | "URL" | "IMAGE" | "NONE")

/**
 * Check wallet availability. GET /wallet/cmn/v2.0/device/available
 */
export interface CheckAvailabilityParameters {
/**
 * Device model name
 */
modelName: string
/**
 * Always WALLET
 */
serviceType: "WALLET"
/**
 * Country code (ISO 3166-1 alpha-2)
 */
countryCode?: string
}

/**
 * Check wallet availability. GET /wallet/cmn/v2.0/device/available
 */
export interface CheckAvailabilityReply {
/**
 * Result code, 0 on success
 */
resultCode: string
/**
 * Result message
 */
resultMessage: string
/**
 * Whether the service is available for the device
 */
available: boolean
/**
 * Whether the service in Korea (KR) supports the device
 */
supportKR: boolean
}

/**
 * Event about the stream itself, as plain text
 */
export type ControlEvent = ("welcome" | "gap" | "goodbye")

/**
 * A device reported an attribute
 */
export interface DeviceEvent {
/**
 * Time of the event in milliseconds since the epoch
 */
eventTime: number
eventType: "DEVICE_EVENT"
deviceEvent: {
/**
 * ID of the event
 */
eventId: string
/**
 * ID of the location
 */
locationId: string
/**
 * ID of the owner, which is the location
 */
ownerId: string
/**
 * Type of the owner
 */
ownerType: "LOCATION"
/**
 * ID of the device
 */
deviceId: string
/**
 * Component of the device
 */
componentId: string
/**
 * Capability of the component
 */
capability: string
/**
 * Attribute that changed
 */
attribute: string
/**
 * New value of the attribute
 */
value: unknown
/**
 * Type of the value
 */
valueType: ("string" | "number" | "boolean" | "object" | "array" | "null")
/**
 * Unit of the value
 */
unit?: string
/**
 * Whether the value differs from the previous value
 */
stateChange: boolean
/**
 * Additional data
 */
data: ({
[k: string]: unknown
} | null)
/**
 * ID of the command that caused the event
 */
commandId: string
/**
 * Whether the value is sensitive
 */
sensitive: boolean
/**
 * Name of the subscription that matched
 */
subscriptionName: string
}
}

/**
 * A device was added, changed, removed or moved to another room. Sent if a filter selects it
 */
export interface DeviceLifecycleEvent {
/**
 * Time of the event in milliseconds since the epoch
 */
eventTime: number
eventType: "DEVICE_LIFECYCLE_EVENT"
deviceLifecycleEvent: {
/**
 * Lifecycle change of the device
 */
lifecycle: ("CREATE" | "UPDATE" | "DELETE" | "ROOM_MOVE")
/**
 * ID of the event
 */
eventId: string
/**
 * ID of the location
 */
locationId: string
/**
 * ID of the owner, which is the location
 */
ownerId: string
/**
 * Type of the owner
 */
ownerType: "LOCATION"
/**
 * ID of the device
 */
deviceId: string
/**
 * Name of the device
 */
deviceName: string
/**
 * Present with CREATE
 */
create?: {

}
/**
 * Present with UPDATE
 */
update?: {

}
/**
 * Present with DELETE
 */
delete?: {

}
/**
 * Present with ROOM_MOVE
 */
roomMove?: {
/**
 * Previous room
 */
roomIdFrom: (string | null)
/**
 * New room
 */
roomIdTo: (string | null)
}
}
}

/**
 * A device reported its health. Sent if a filter selects it
 */
export interface DeviceHealthEvent {
/**
 * Time of the event in milliseconds since the epoch
 */
eventTime: number
eventType: "DEVICE_HEALTH_EVENT"
deviceHealthEvent: {
/**
 * ID of the event
 */
eventId: string
/**
 * ID of the location
 */
locationId: string
/**
 * ID of the owner, which is the location
 */
ownerId: string
/**
 * Type of the owner
 */
ownerType: "LOCATION"
/**
 * ID of the device
 */
deviceId: string
/**
 * Hub of the device
 */
hubId: (string | null)
/**
 * Health status of the device
 */
status: ("ONLINE" | "OFFLINE" | "UNHEALTHY")
/**
 * Reason for the status
 */
reason: string
}
}

/** The operations of document 1 */
export interface SupportOperations {
/** 1: List contact reasons */
'GET /stg/us/contact/reason': { reply: GetContactReasonReply }
/** 2: List form fields of a reason */
'GET /stg/us/contact/reason/fields': { parameters: GetContactReasonFieldsParameters; reply: GetContactReasonFieldsReply }
/** 3: Create a call center token */
'POST /stg/us/cti/guest/token': { reply: PostCtiGuestTokenReply }
/** 4: Save feedback */
'POST /stg/us/customerFeedback': { body: PostCustomerFeedbackRequest; reply: PostCustomerFeedbackReply }
/** 5: List child categories */
'GET /stg/us/dealer/categories/{id}/children': { parameters: GetDealerCategoriesIdChildrenParameters; reply: GetDealerCategoriesIdChildrenReply }
/** 6: Find a customer */
'GET /stg/us/dealer/customers': { parameters: GetDealerCustomersParameters; reply: GetDealerCustomersReply }
/** 7: Create a customer */
'POST /stg/us/dealer/customers': { body: PostDealerCustomersRequest; reply: PostDealerCustomersReply }
/** 8: Create a ticket with an appointment */
'POST /stg/us/dealer/customers/ticket': { body: PostDealerCustomersTicketRequest; reply: PostDealerCustomersTicketReply }
/** 9: Reschedule a ticket */
'POST /stg/us/dealer/customers/ticket/reschedule': { body: PostDealerCustomersTicketRescheduleRequest; reply: PostDealerCustomersTicketRescheduleReply }
/** 10: Cancel a ticket */
'DELETE /stg/us/dealer/customers/ticket/{srid}': { parameters: DeleteDealerCustomersTicketSridParameters; reply: DeleteDealerCustomersTicketSridReply | undefined }
/** 11: Find a registered product */
'GET /stg/us/dealer/customers/{customerId}/product': { parameters: GetDealerCustomersCustomerIdProductParameters; reply: GetDealerCustomersCustomerIdProductReply }
/** 12: List registered products of a customer */
'GET /stg/us/dealer/customers/{customerId}/products': { parameters: GetDealerCustomersCustomerIdProductsParameters; reply: GetDealerCustomersCustomerIdProductsReply }
/** 14: Register a product */
'POST /stg/us/dealer/customers/{customerId}/products': { parameters: PostDealerCustomersIdProductsParameters; body: PostDealerCustomersIdProductsRequest; reply: PostDealerCustomersIdProductsReply }
/** 13: Edit a customer */
'POST /stg/us/dealer/customers/{id}': { parameters: PostDealerCustomersIdParameters; body: PostDealerCustomersIdRequest; reply: PostDealerCustomersIdReply }
/** 15: Dispute a purchase date */
'POST /stg/us/dealer/dispute': { body: PostDealerDisputeRequest; reply: PostDealerDisputeReply }
/** 16: List in-home appointment slots (dealer) */
'GET /stg/us/dealer/schedule': { parameters: GetDealerScheduleParameters; reply: GetDealerScheduleReply }
/** 17: List stores */
'GET /stg/us/dealer/stores': { parameters: GetDealerStoresParameters; reply: GetDealerStoresReply }
/** 18: List the next symptom level (dealer) */
'GET /stg/us/dealer/symptom': { parameters: GetDealerSymptomParameters; reply: GetDealerSymptomReply }
/** 19: List tickets */
'GET /stg/us/dealer/tickets': { parameters: GetDealerTicketsParameters; reply: GetDealerTicketsReply }
/** 20: Get a ticket */
'GET /stg/us/dealer/tickets/{id}': { parameters: GetDealerTicketsIdParameters; reply: GetDealerTicketsIdReply }
/** 21: Get a troubleshooting guide (dealer) */
'GET /stg/us/dealer/troubleshooting': { parameters: GetDealerTroubleshootingParameters; reply: GetDealerTroubleshootingReply }
/** 22: Save guest feedback */
'POST /stg/us/guest/customerFeedback': { body: PostGuestCustomerFeedbackRequest; reply: PostGuestCustomerFeedbackReply }
/** 23: Validate a device and its model */
'POST /stg/us/guest/product/validation': { parameters: PostGuestProductValidationParameters; reply: PostGuestProductValidationReply }
/** 24: Validate a device */
'GET /stg/us/guest/product/validation/{deviceId}': { parameters: GetGuestProductValidationDeviceIdParameters; reply: GetGuestProductValidationDeviceIdReply }
/** 25: List in-home appointment slots */
'GET /stg/us/guest/schedule': { parameters: GetGuestScheduleParameters; reply: GetGuestScheduleReply }
/** 26: Upload a symptom image */
'POST /stg/us/guest/serviceRequest/asset/symptomImage': { parameters: PostGuestServiceRequestAssetSymptomImageParameters; form: 'imageFile'; reply: PostGuestServiceRequestAssetSymptomImageReply }
/** 27: List the next symptom level */
'GET /stg/us/guest/symptom': { parameters: GetGuestSymptomParameters; reply: GetGuestSymptomReply }
/** 28: List colors of a model */
'GET /stg/us/guest/symptom/changeColor': { parameters: GetGuestSymptomChangeColorParameters; reply: GetGuestSymptomChangeColorReply }
/** 29: Get a troubleshooting guide */
'GET /stg/us/guest/troubleshooting': { parameters: GetGuestTroubleshootingParameters; reply: GetGuestTroubleshootingReply }
/** 30: Look up a ZIP code */
'GET /stg/us/guest/zipCode': { parameters: GetGuestZipCodeParameters; reply: GetGuestZipCodeReply }
/** 31: Cancel an in-store request */
'DELETE /stg/us/instore/cancel': { parameters: DeleteInstoreCancelParameters; reply: DeleteInstoreCancelReply | undefined }
/** 32: Check whether a profile has a mobile number */
'GET /stg/us/instore/checkmobile': { reply: GetInstoreCheckmobileReply }
/** 33: Create an in-store request */
'POST /stg/us/instore/create': { body: PostInstoreCreateRequest; reply: PostInstoreCreateReply }
/** 34: Get an in-store request */
'GET /stg/us/instore/detail': { parameters: GetInstoreDetailParameters; reply: GetInstoreDetailReply | undefined }
/** 35: Cancel a request by email link */
'DELETE /stg/us/instore/noauth/emailcancel': { parameters: DeleteInstoreNoauthEmailcancelParameters; reply: DeleteInstoreNoauthEmailcancelReply | undefined }
/** 36: Find the nearest walk-in service center */
'GET /stg/us/instore/noauth/nearest': { parameters: GetInstoreNoauthNearestParameters; reply: GetInstoreNoauthNearestReply }
/** 37: List walk-in slots */
'GET /stg/us/instore/noauth/slots': { parameters: GetInstoreNoauthSlotsParameters; reply: GetInstoreNoauthSlotsReply }
/** 38: List in-store symptoms */
'GET /stg/us/instore/noauth/symptoms': { parameters: GetInstoreNoauthSymptomsParameters; reply: GetInstoreNoauthSymptomsReply }
/** 39: Get a product group */
'GET /stg/us/instore/noauth/taxonomy': { parameters: GetInstoreNoauthTaxonomyParameters; reply: GetInstoreNoauthTaxonomyReply }
/** 40: Get the product group tree */
'GET /stg/us/instore/noauth/taxonomyTree': { reply: GetInstoreNoauthTaxonomyTreeReply }
/** 41: List in-store troubleshooting articles */
'GET /stg/us/instore/noauth/tsg': { parameters: GetInstoreNoauthTsgParameters; reply: GetInstoreNoauthTsgReply }
}
