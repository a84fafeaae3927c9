/**
 * Inputs of createServiceToken. Document 3, section 2
 */
export interface CreateServiceTokenRequest {
/**
 * Numeric id of the seller
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
 * MISSED: its end has passed, and nobody confirmed, rescheduled or cancelled the request
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
 * Seconds
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
 * The dealer company
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
 * The company of the dealer
 */
companyId?: (string | null)
firstName?: string
lastName?: string
email?: string
/**
 * In any usual notation; stored as E.164
 */
phoneNumber?: string
/**
 * In any usual notation; null or an empty text clears it
 */
mobilePhone?: (string | null)
address1?: string
/**
 * Null or an empty text clears it
 */
address2?: (string | null)
city?: string
state?: string
zipCode?: string
/**
 * As in the path
 */
bpNo?: (string | null)
}

export interface CustomerDraft {
/**
 * The dealer company
 */
companyId?: string
firstName: string
lastName: string
email: string
/**
 * In any usual notation; stored as E.164
 */
phoneNumber: string
/**
 * In any usual notation; stored as E.164
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
 * 1 to 2000 characters, white space around them aside
 */
comment: string
category?: string
/**
 * Id of the service request
 */
srid?: string
/**
 * Number of the ticket
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
serviceType: ("IH" | "SR")
subType: string
category: string
inWarranty: boolean
warrantyEndDate: string
registeredAt: string
}

export interface DealerProductDraft {
/**
 * As in the path
 */
bpNo?: string
/**
 * The company of the dealer
 */
companyId?: string
modelCode: string
/**
 * Serial number of 11 or 15 letters and digits; an IMEI of 15 digits for mobile devices
 */
serialNumber: string
/**
 * IMEI, for mobile devices only
 */
imei?: string
purchaseDate?: string
purchasePlace?: string
/**
 * IH in-home, SR stock repair
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
 * Serial number of 11 or 15 letters and digits; an IMEI of 15 digits for mobile devices
 */
serialNumber?: string
serviceType?: ("IH" | "SR")
symCode1?: string
symCode2?: string
symCode3?: string
problemDescription?: string
purchaseDate?: string
ascCode?: string
appointmentDate?: string
/**
 * A slotId of operation 16
 */
timeSlot?: string
/**
 * A store of the company, as operation 17 lists them
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
 * The rule, by its ID in docs/rules.md: a place in a document, or our choice
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
 * Id of the service request
 */
srid: string
/**
 * E0001 open, E0002 in process, E0003 closed
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
 * Symptom ids of operation 38
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
 * Serial number of 11 or 15 letters and digits; an IMEI of 15 digits for mobile devices
 */
serialNumber?: string
/**
 * IMEI, for mobile devices only
 */
imei?: string
sc4uObjectId?: string
problemDescription?: string
remoteId?: string
/**
 * Required when operation 32 says that the profile has no mobile number, otherwise ignored
 */
mobilePhone?: string
}

export interface InStoreServiceRequestResponse {
/**
 * E0001 open, E0002 in process, E0003 closed
 */
status: ("E0001" | "E0002" | "E0003")
statusDesc: string
/**
 * NO_SHOW: the appointment was missed, and nobody made another within 24 hours
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
 * E0001 open, E0002 in process, E0003 closed
 */
to: ("E0001" | "E0002" | "E0003")
reason: string
/**
 * As operation 9 was told
 */
rescheduleReasonCode?: string
}[]
ascType: string
ascCode: string
appointmentDate: string
startTime: string
/**
 * Symptom ids of operation 38
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
 * Serial number of 11 or 15 letters and digits; an IMEI of 15 digits for mobile devices
 */
serialNumber?: string
/**
 * IMEI, for mobile devices only
 */
imei?: string
sc4uObjectId?: string
problemDescription?: string
remoteId?: string
mobilePhone?: string
/**
 * Id of the service request
 */
srid: string
/**
 * Number of the ticket
 */
ticketNumber: string
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
 * How many match, on all pages
 */
totalCount: number
offset: number
limit: number
/**
 * Whether more follow this page
 */
hasMore: boolean
}

export interface ItemWrapperOfServiceRequest {
/**
 * @maxItems 1000
 */
items: ServiceRequest[]
/**
 * How many match, on all pages
 */
totalCount: number
offset: number
limit: number
/**
 * Whether more follow this page
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
 * Days that it is closed, holidays among them
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
 * How many match, on all pages
 */
totalCount: number
pageNo: number
size: number
/**
 * Whether more follow this page
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
 * Y on the deepest level
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
 * Why it is not valid
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
 * With isReschedule, of a full window: your requests that may be moved within it
 * 
 * @maxItems 30
 */
ownRequests?: string[]
}[]
}[]
}

export interface ServiceRequest {
/**
 * E0001 open, E0002 in process, E0003 closed
 */
status: ("E0001" | "E0002" | "E0003")
statusDesc: string
/**
 * NO_SHOW: the appointment was missed, and nobody made another within 24 hours
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
 * E0001 open, E0002 in process, E0003 closed
 */
to: ("E0001" | "E0002" | "E0003")
reason: string
/**
 * As operation 9 was told
 */
rescheduleReasonCode?: string
}[]
/**
 * Id of the service request
 */
srid: string
/**
 * Number of the ticket
 */
ticketNumber: string
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
 * A receipt of the company, or the imageId of an image that operation 26 took for a ticket of it
 */
receiptFileKey: string
purchaseDate: string
}

export interface SymptomImageMeta {
imageId: string
/**
 * Id of the service request
 */
srid: string
/**
 * Number of the ticket
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
 * Y on the deepest level
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
 * Y on the deepest level
 */
isLeafFlag: ("Y" | "N")
dummyModelCode?: string
walkInFlag?: ("Y" | "N")
mailInFlag?: ("Y" | "N")
children?: Taxonomy[]
}

export interface ZipcodeLookupResponse {
/**
 * US zip code, 5 digits
 */
zipCode: string
/**
 * The place the zip code is known by
 */
city: string
/**
 * State, territory or armed forces region, two letters
 */
state: string
/**
 * Its name
 */
stateName: string
/**
 * Empty in most territories and for military mail
 */
county: string
/**
 * Always US
 */
country: "US"
/**
 * Degrees north
 */
lat: number
/**
 * Degrees east
 */
lng: number
/**
 * IANA name of the time zone
 */
timeZone: string
}

/** List the reasons to ask about an order. Document 1, operation 1: GET /stg/us/contact/reason */
export type GetContactReasonReply = ContactReason

/**
 * List the form fields of a reason. Document 1, operation 2: GET /stg/us/contact/reason/fields
 */
export interface GetContactReasonFieldsParameters {
/**
 * A reason of operation 1
 */
reasonId: string
}

/** List the form fields of a reason. Document 1, operation 2: GET /stg/us/contact/reason/fields */
export type GetContactReasonFieldsReply = OrderHelpField

/** Get a token for the call center. Document 1, operation 3: POST /stg/us/cti/guest/token */
export type PostCtiGuestTokenReply = CtiToken

/** Save feedback. Document 1, operation 4: POST /stg/us/customerFeedback */
export type PostCustomerFeedbackRequest = CustomerFeedbackRequest

/** Save feedback. Document 1, operation 4: POST /stg/us/customerFeedback */
export type PostCustomerFeedbackReply = FeedbackReceipt

/**
 * List the categories below one. Document 1, operation 5: GET /stg/us/dealer/categories/{id}/children
 */
export interface GetDealerCategoriesIdChildrenParameters {
/**
 * The literal ROOT for the top level, or a category id
 */
id: string
}

/**
 * List the categories below one. Document 1, operation 5: GET /stg/us/dealer/categories/{id}/children
 */
export type GetDealerCategoriesIdChildrenReply = ProductCategory[]

/**
 * Search a customer. Document 1, operation 6: GET /stg/us/dealer/customers
 */
export interface GetDealerCustomersParameters {
/**
 * In any letter case
 */
firstName?: string
/**
 * In any letter case
 */
lastName?: string
/**
 * Five digits find 5+4 codes too
 */
zipCode?: string
/**
 * In any usual notation
 */
phoneNumber?: string
bpNo?: string
/**
 * The dealer's own company
 */
companyId?: string
}

/** Search a customer. Document 1, operation 6: GET /stg/us/dealer/customers */
export type GetDealerCustomersReply = Customer

/** Create a customer. Document 1, operation 7: POST /stg/us/dealer/customers */
export type PostDealerCustomersRequest = CustomerDraft

/** Create a customer. Document 1, operation 7: POST /stg/us/dealer/customers */
export type PostDealerCustomersReply = ResponseEntity

/**
 * Create a ticket with its appointment. Document 1, operation 8: POST /stg/us/dealer/customers/ticket
 */
export type PostDealerCustomersTicketRequest = (DealerTicket & {
/**
 * Business partner number
 */
bpNo: string
companyId?: string
modelCode: string
/**
 * Serial number of 11 or 15 letters and digits; an IMEI of 15 digits for mobile devices
 */
serialNumber: string
serviceType: ("IH" | "SR")
symCode1: string
symCode2?: string
symCode3?: string
problemDescription: string
purchaseDate?: string
ascCode: string
appointmentDate: string
/**
 * A slotId of operation 16
 */
timeSlot: string
/**
 * A store of the company, as operation 17 lists them
 */
storeNumber?: string
dealerReferenceNo?: string
})

/** Create a ticket with its appointment. Document 1, operation 8: POST /stg/us/dealer/customers/ticket */
export type PostDealerCustomersTicketReply = ServiceRequest

/**
 * Move the appointment of a ticket. Document 1, operation 9: POST /stg/us/dealer/customers/ticket/reschedule
 */
export type PostDealerCustomersTicketRescheduleRequest = (DealerTicket & {
srid: string
companyId?: string
appointmentDate: string
/**
 * A slotId of operation 16
 */
timeSlot: string
rescheduleReasonCode?: string
})

/** Move the appointment of a ticket. Document 1, operation 9: POST /stg/us/dealer/customers/ticket/reschedule */
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
 * Find a registered product of a customer. Document 1, operation 11: GET /stg/us/dealer/customers/{customerId}/product
 */
export interface GetDealerCustomersCustomerIdProductParameters {
/**
 * bpNo of the customer
 */
customerId: string
/**
 * As in the path; a differing one is 404
 */
bpNo?: string
/**
 * The dealer's own company
 */
companyId?: string
/**
 * IH in-home, SR stock repair
 */
serviceType?: string
modelCode?: string
serialNumber?: string
}

/** Find a registered product of a customer. Document 1, operation 11: GET /stg/us/dealer/customers/{customerId}/product */
export type GetDealerCustomersCustomerIdProductReply = DealerProduct

/**
 * List the registered products of a customer. Document 1, operation 12: GET /stg/us/dealer/customers/{customerId}/products
 */
export interface GetDealerCustomersCustomerIdProductsParameters {
/**
 * bpNo of the customer
 */
customerId: string
/**
 * As in the path; a differing one is 404
 */
bpNo?: string
/**
 * The dealer's own company
 */
companyId?: string
/**
 * IH in-home, SR stock repair
 */
serviceType?: string
modelCode?: string
serialNumber?: string
}

/** List the registered products of a customer. Document 1, operation 12: GET /stg/us/dealer/customers/{customerId}/products */
export type GetDealerCustomersCustomerIdProductsReply = ItemWrapperOfDealerProduct

/**
 * Register a product. Document 1, operation 14: POST /stg/us/dealer/customers/{customerId}/products
 */
export interface PostDealerCustomersIdProductsParameters {
/**
 * bpNo of the customer
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
 * bpNo of the customer
 */
id: string
}

/** Edit a customer. Document 1, operation 13: POST /stg/us/dealer/customers/{id} */
export type PostDealerCustomersIdRequest = CustomerChanges

/** Edit a customer. Document 1, operation 13: POST /stg/us/dealer/customers/{id} */
export type PostDealerCustomersIdReply = ResponseEntity

/** Submit a dispute about a purchase date. Document 1, operation 15: POST /stg/us/dealer/dispute */
export type PostDealerDisputeRequest = ServiceRequestParam

/** Submit a dispute about a purchase date. Document 1, operation 15: POST /stg/us/dealer/dispute */
export type PostDealerDisputeReply = ServiceRequest

/**
 * Look up in-home appointments for a dealer. Document 1, operation 16: GET /stg/us/dealer/schedule
 */
export interface GetDealerScheduleParameters {
/**
 * US zip code, 5 digits; of 5+4 the first five count
 */
zipCode?: string
/**
 * Without it `subType` says what the product is
 */
modelCode?: string
/**
 * false: only centers that take work out of warranty
 */
inWarranty?: boolean
/**
 * Only this service center
 */
ascCode?: string
/**
 * Product subtype, the model's
 */
subType?: string
/**
 * Selects the reschedule flow: a full window in which you hold a place yourself is available
 */
isReschedule?: boolean
/**
 * Kind of visit: only centers that make such visits
 */
type?: ("PI" | "PII")
}

/** Look up in-home appointments for a dealer. Document 1, operation 16: GET /stg/us/dealer/schedule */
export type GetDealerScheduleReply = Schedule

/**
 * List the stores of the company. Document 1, operation 17: GET /stg/us/dealer/stores
 */
export interface GetDealerStoresParameters {
"sort.field"?: ("storeId" | "storeNumber" | "storeName" | "storePhone" | "companyId" | "address1" | "city" | "state" | "zipCode" | "lat" | "lng" | "timeZone" | "ascCode" | "ascType")
"sort.direction"?: ("asc" | "desc")
/**
 * A page is listed with it, `pageNo` or `size`, otherwise the first 100 stores
 */
pagination?: boolean
/**
 * From 1, which is the default
 */
pageNo?: number
size?: number
/**
 * Fields to show, separated by commas; default all
 */
fields?: string
/**
 * Accepted without effect
 */
accessToken?: string
storeId?: string
storeNumber?: string
/**
 * In any usual notation
 */
storePhone?: string
/**
 * The dealer's own company
 */
companyId?: string
}

/** List the stores of the company. Document 1, operation 17: GET /stg/us/dealer/stores */
export type GetDealerStoresReply = ItemWrapperOfStore

/**
 * Choose a symptom step by step, as a dealer. Document 1, operation 18: GET /stg/us/dealer/symptom
 */
export interface GetDealerSymptomParameters {
/**
 * Product subtype. Optional in the interface, needed here (our choice)
 */
subType?: string
/**
 * Code of the symptom chosen on level 1
 */
symptomLevel1?: string
/**
 * Code of the symptom chosen on level 2
 */
symptomLevel2?: string
/**
 * Code of the symptom chosen on level 3
 */
symptomLevel3?: string
/**
 * E English, S Spanish; another falls back to E
 */
language?: string
}

/** Choose a symptom step by step, as a dealer. Document 1, operation 18: GET /stg/us/dealer/symptom */
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
 * Customers, by bpNo
 * 
 * @maxItems 100
 */
bpNoList?: string[]
/**
 * srId, as the filter is named, is srid
 */
"sorts[0].field"?: ("status" | "statusDesc" | "statusReasonCode" | "statusReasonDesc" | "srid" | "ticketNumber" | "serviceType" | "bpNo" | "companyId" | "modelCode" | "serialNumber" | "ascCode" | "ascName" | "inWarranty" | "createdAt" | "updatedAt" | "problemDescription" | "purchaseDate" | "storeNumber" | "dealerReferenceNo" | "receiptFileKey" | "srId")
/**
 * Default asc with a field, else newest first
 */
"sorts[0].direction"?: ("asc" | "desc")
/**
 * Id or name of the category of a ticket's model
 */
subCategory?: string
ticketNumber?: string
/**
 * The dealer's own company
 */
companyId?: string
/**
 * In any usual notation
 */
phoneNumber?: string
srId?: string
/**
 * IH in-home, SR stock repair, DS dispute
 */
serviceType?: string
offset?: number
limit?: number
}

/** List tickets. Document 1, operation 19: GET /stg/us/dealer/tickets */
export type GetDealerTicketsReply = ItemWrapperOfServiceRequest

/**
 * Look up a ticket. Document 1, operation 20: GET /stg/us/dealer/tickets/{id}
 */
export interface GetDealerTicketsIdParameters {
/**
 * srid of the ticket
 */
id: string
}

/** Look up a ticket. Document 1, operation 20: GET /stg/us/dealer/tickets/{id} */
export type GetDealerTicketsIdReply = ServiceRequest

/**
 * Read a troubleshooting guide, as a dealer. Document 1, operation 21: GET /stg/us/dealer/troubleshooting
 */
export interface GetDealerTroubleshootingParameters {
modelCode: string
/**
 * The service request that the guide is read for
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
 * Read a troubleshooting guide, as a dealer. Document 1, operation 21: GET /stg/us/dealer/troubleshooting
 */
export type GetDealerTroubleshootingReply = string

/** Save feedback of a guest. Document 1, operation 22: POST /stg/us/guest/customerFeedback */
export type PostGuestCustomerFeedbackRequest = CustomerFeedbackRequest

/** Save feedback of a guest. Document 1, operation 22: POST /stg/us/guest/customerFeedback */
export type PostGuestCustomerFeedbackReply = FeedbackReceipt

/**
 * Validate a device by serial number or IMEI, with its model. Document 1, operation 23: POST /stg/us/guest/product/validation
 */
export interface PostGuestProductValidationParameters {
/**
 * Serial number, or IMEI of 15 digits
 */
prdId: string
modelCode: string
/**
 * User cookie data, in the form of an identity
 */
prof_id?: string
/**
 * Serial number or IMEI of the device as it was validated before, by its id only
 */
originPrdId?: string
email?: string
}

/** Validate a device by serial number or IMEI, with its model. Document 1, operation 23: POST /stg/us/guest/product/validation */
export type PostGuestProductValidationReply = ProductValidation

/**
 * Validate a device by serial number or IMEI alone. Document 1, operation 24: GET /stg/us/guest/product/validation/{deviceId}
 */
export interface GetGuestProductValidationDeviceIdParameters {
/**
 * Serial number, or IMEI of 15 digits
 */
deviceId: string
/**
 * Accepted without effect
 */
email?: string
}

/** Validate a device by serial number or IMEI alone. Document 1, operation 24: GET /stg/us/guest/product/validation/{deviceId} */
export type GetGuestProductValidationDeviceIdReply = ProductValidation

/**
 * Look up in-home appointments. Document 1, operation 25: GET /stg/us/guest/schedule
 */
export interface GetGuestScheduleParameters {
/**
 * US zip code, 5 digits; of 5+4 the first five count
 */
zipCode?: string
/**
 * Without it `subType` says what the product is
 */
modelCode?: string
/**
 * false: only centers that take work out of warranty
 */
inWarranty?: boolean
/**
 * Only this service center
 */
ascCode?: string
/**
 * Product subtype, the model's
 */
subType?: string
/**
 * Selects the reschedule flow: a full window in which you hold a place yourself is available
 */
isReschedule?: boolean
/**
 * Kind of visit: only centers that make such visits
 */
type?: ("PI" | "PII")
}

/** Look up in-home appointments. Document 1, operation 25: GET /stg/us/guest/schedule */
export type GetGuestScheduleReply = Schedule

/**
 * Upload an image of a symptom to a service request. Document 1, operation 26: POST /stg/us/guest/serviceRequest/asset/symptomImage
 */
export interface PostGuestServiceRequestAssetSymptomImageParameters {
/**
 * Id of the service request
 */
srid?: string
/**
 * Number of the ticket
 */
ticketNumber?: string
}

/** Upload an image of a symptom to a service request. Document 1, operation 26: POST /stg/us/guest/serviceRequest/asset/symptomImage */
export type PostGuestServiceRequestAssetSymptomImageReply = SymptomImageMeta

/**
 * Choose a symptom step by step. Document 1, operation 27: GET /stg/us/guest/symptom
 */
export interface GetGuestSymptomParameters {
/**
 * Product subtype. Optional in the interface, needed here (our choice)
 */
subType?: string
/**
 * Code of the symptom chosen on level 1
 */
symptomLevel1?: string
/**
 * Code of the symptom chosen on level 2
 */
symptomLevel2?: string
/**
 * Code of the symptom chosen on level 3
 */
symptomLevel3?: string
/**
 * E English, S Spanish; another falls back to E
 */
language?: string
}

/** Choose a symptom step by step. Document 1, operation 27: GET /stg/us/guest/symptom */
export type GetGuestSymptomReply = SymptomResponse

/**
 * List the colors of a model. Document 1, operation 28: GET /stg/us/guest/symptom/changeColor
 */
export interface GetGuestSymptomChangeColorParameters {
modelCode?: string
}

/**
 * List the colors of a model. Document 1, operation 28: GET /stg/us/guest/symptom/changeColor
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
 * Read a troubleshooting guide. Document 1, operation 29: GET /stg/us/guest/troubleshooting
 */
export interface GetGuestTroubleshootingParameters {
modelCode: string
/**
 * The service request that the guide is read for
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
 * Read a troubleshooting guide. Document 1, operation 29: GET /stg/us/guest/troubleshooting
 */
export type GetGuestTroubleshootingReply = string

/**
 * Look up a zip code. Document 1, operation 30: GET /stg/us/guest/zipCode
 */
export interface GetGuestZipCodeParameters {
/**
 * US zip code, 5 digits. Optional in the interface, needed here (our choice)
 */
zipCode?: string
}

/** Look up a zip code. Document 1, operation 30: GET /stg/us/guest/zipCode */
export type GetGuestZipCodeReply = ZipcodeLookupResponse

/**
 * Cancel an in-store request of yours. Document 1, operation 31: DELETE /stg/us/instore/cancel
 */
export interface DeleteInstoreCancelParameters {
/**
 * Id of the service request
 */
srid: string
/**
 * Kept with the request
 */
remoteId?: string
}

/**
 * Cancel an in-store request of yours. Document 1, operation 31: DELETE /stg/us/instore/cancel
 */
export interface DeleteInstoreCancelReply {
cancelled: boolean
}

/**
 * Check whether your profile has a mobile number. Document 1, operation 32: GET /stg/us/instore/checkmobile
 */
export interface GetInstoreCheckmobileReply {
exist: boolean
}

/** Create an in-store request with its appointment. Document 1, operation 33: POST /stg/us/instore/create */
export type PostInstoreCreateRequest = InStoreServiceRequest

/** Create an in-store request with its appointment. Document 1, operation 33: POST /stg/us/instore/create */
export type PostInstoreCreateReply = InStoreServiceRequestResponse

/**
 * Look up an in-store request of yours. Document 1, operation 34: GET /stg/us/instore/detail
 */
export interface GetInstoreDetailParameters {
/**
 * Id of the service request. Optional in the interface, needed here (our choice)
 */
srid?: string
/**
 * Taken, and chooses nothing
 */
sc4uObjectId?: string
}

/** Look up an in-store request of yours. Document 1, operation 34: GET /stg/us/instore/detail */
export type GetInstoreDetailReply = InStoreServiceRequestResponse

/**
 * Cancel an in-store request by the link in its e-mail. Document 1, operation 35: DELETE /stg/us/instore/noauth/emailcancel
 */
export interface DeleteInstoreNoauthEmailcancelParameters {
/**
 * Id of the service request
 */
srid: string
/**
 * From the link in the e-mail
 */
key: string
}

/**
 * Cancel an in-store request by the link in its e-mail. Document 1, operation 35: DELETE /stg/us/instore/noauth/emailcancel
 */
export interface DeleteInstoreNoauthEmailcancelReply {
cancelled: boolean
}

/**
 * Find the nearest walk-in service center. Document 1, operation 36: GET /stg/us/instore/noauth/nearest
 */
export interface GetInstoreNoauthNearestParameters {
/**
 * US zip code, 5 digits; of 5+4 the first five count. Optional in the interface, needed here (our choice)
 */
zipCode?: string
modelCode?: string
/**
 * Taken, and chooses nothing
 */
sc4uObjectId?: string
}

/**
 * Find the nearest walk-in service center. Document 1, operation 36: GET /stg/us/instore/noauth/nearest
 */
export interface GetInstoreNoauthNearestReply {
/**
 * Miles
 */
distance: number
ascCode: string
ascType: string
ascName: string
zipCode: string
}

/**
 * List the walk-in slots of a service center. Document 1, operation 37: GET /stg/us/instore/noauth/slots
 */
export interface GetInstoreNoauthSlotsParameters {
/**
 * First day; the service center's date when absent
 */
start?: string
/**
 * Last day, cut at the last bookable one; two weeks after the start when absent
 */
end?: string
ascType: string
ascCode: string
/**
 * Accepted without effect
 */
zipCode?: string
/**
 * Taken, and chooses nothing
 */
sc4uObjectId?: string
/**
 * Symptom ids of operation 38, accepted without effect
 * 
 * @maxItems 5
 */
symptoms?: string[]
}

/** List the walk-in slots of a service center. Document 1, operation 37: GET /stg/us/instore/noauth/slots */
export type GetInstoreNoauthSlotsReply = InStoreScheduleResponse

/**
 * List the symptoms of in-store requests. Document 1, operation 38: GET /stg/us/instore/noauth/symptoms
 */
export interface GetInstoreNoauthSymptomsParameters {
/**
 * Of the bespoke line: its list; any other: the ordinary one. Counts without `bespoke`
 */
modelCode?: string
/**
 * Y for the bespoke product line, empty for others
 */
bespoke?: ("Y" | "")
}

/** List the symptoms of in-store requests. Document 1, operation 38: GET /stg/us/instore/noauth/symptoms */
export type GetInstoreNoauthSymptomsReply = InStoreSymptom

/**
 * Look up a product group with its children. Document 1, operation 39: GET /stg/us/instore/noauth/taxonomy
 */
export interface GetInstoreNoauthTaxonomyParameters {
upperTaxonomyCode?: string
}

/** Look up a product group with its children. Document 1, operation 39: GET /stg/us/instore/noauth/taxonomy */
export type GetInstoreNoauthTaxonomyReply = Taxonomy

/** Look up all product groups. Document 1, operation 40: GET /stg/us/instore/noauth/taxonomyTree */
export type GetInstoreNoauthTaxonomyTreeReply = Taxonomy

/**
 * List troubleshooting guide entries for in-store products. Document 1, operation 41: GET /stg/us/instore/noauth/tsg
 */
export interface GetInstoreNoauthTsgParameters {
symptomId?: string
}

/**
 * List troubleshooting guide entries for in-store products. Document 1, operation 41: GET /stg/us/instore/noauth/tsg
 */
export type GetInstoreNoauthTsgReply = InStoreArticle[]

export interface Subscription {
/**
 * Id of the subscription
 */
subscriptionId: string
/**
 * Address of the stream
 */
registrationUrl: string
/**
 * Name of the subscription; its device events carry it
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
 * What the ids of the filter are
 */
type: ("SMARTAPPIDS" | "LOCATIONIDS" | "INSTALLEDSMARTAPPIDS" | "DEVICEIDS")
}[]
}

export interface SubscriptionFilter {
/**
 * What the ids of the filter are
 */
type: ("SMARTAPPIDS" | "LOCATIONIDS" | "INSTALLEDSMARTAPPIDS" | "DEVICEIDS")
/**
 * Ids, or the single element ALL for all locations of the token
 * 
 * @minItems 1
 * @maxItems 1000
 */
value: string[]
/**
 * Types of events; absent for DEVICE_EVENT
 * 
 * @maxItems 100
 */
eventType?: string[]
/**
 * Only device events of this capability; absent or * for any
 */
capability?: string
/**
 * Only device events of this attribute; absent or * for any
 */
attribute?: string
/**
 * Only device events of this component; absent or * for any
 */
component?: string
}

/**
 * Create a subscription. POST /subscriptions
 */
export interface CreateSubscriptionRequest {
/**
 * Name of the subscription; its device events carry it
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
 * Id of the subscription
 */
subscriptionId: string
}

/** Get a subscription. GET /subscriptions/{subscriptionId} */
export type GetSubscriptionReply = Subscription

/**
 * Replace the filters of a subscription, also while it is streamed. PUT /subscriptions/{subscriptionId}
 */
export interface UpdateSubscriptionParameters {
/**
 * Id of the subscription
 */
subscriptionId: string
}

/**
 * Replace the filters of a subscription, also while it is streamed. PUT /subscriptions/{subscriptionId}
 */
export interface UpdateSubscriptionRequest {
/**
 * Name of the subscription; its device events carry it
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

/** Replace the filters of a subscription, also while it is streamed. PUT /subscriptions/{subscriptionId} */
export type UpdateSubscriptionReply = Subscription

/**
 * Delete a subscription; its stream ends. DELETE /subscriptions/{subscriptionId}
 */
export interface DeleteSubscriptionParameters {
/**
 * Id of the subscription
 */
subscriptionId: string
}

/**
 * Open the event stream of a subscription. GET /filters/{subscriptionId}/activate
 */
export interface StreamParameters {
/**
 * Id of the subscription
 */
subscriptionId: string
/**
 * Not looked at
 */
filterRegion?: string
/**
 * Opens the stream without a bearer; the registration address holds it
 */
key?: string
/**
 * In the place of Last-Event-ID, for clients that cannot send it
 */
lastEventId?: string
/**
 * The same, as other clients spell it
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
 * Title
 */
title: string
/**
 * Content text
 * 
 * @maxItems 100
 */
content: string[]
}[]
}

/**
 * Serial data and how it is shown
 */
export interface Barcode {
serialType: SerialType
ptFormat?: PtFormat
ptSubFormat?: PtSubFormat
/**
 * What the barcode encodes
 */
value?: string
}

/**
 * Kinds of persons
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
 * Places, at most 10; more than 1024 characters are a warning
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
 * Barcode display type: SERIALNUMBER (serial number), BARCODE (barcode), QRCODE (QR code), POINTAMOUNT (point amount), URL (URL), IMAGE (image), NONE (nothing is shown for serial data)
 */
export type SerialType = ("SERIALNUMBER" | "BARCODE" | "QRCODE" | "POINTAMOUNT" | "URL" | "IMAGE" | "NONE")

/**
 * Device availability check. GET /wallet/cmn/v2.0/device/available
 */
export interface CheckAvailabilityParameters {
/**
 * Device model name
 */
modelName: string
serviceType: "WALLET"
/**
 * ISO 3166 alpha-2 code
 */
countryCode?: string
}

/**
 * Device availability check. GET /wallet/cmn/v2.0/device/available
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
 * Whether the device is supported for the KR service
 */
supportKR: boolean
}

/**
 * Of the stream itself, as bare text
 */
export type ControlEvent = ("welcome" | "gap" | "goodbye")

/**
 * An attribute of a device was reported
 */
export interface DeviceEvent {
/**
 * Milliseconds since the epoch
 */
eventTime: number
eventType: "DEVICE_EVENT"
deviceEvent: {
/**
 * Id of the event
 */
eventId: string
/**
 * Id of the location
 */
locationId: string
/**
 * The location, as owner
 */
ownerId: string
/**
 * What the owner is
 */
ownerType: "LOCATION"
/**
 * Id of the device
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
 * Whether the value is another than before
 */
stateChange: boolean
/**
 * Further data
 */
data: ({
[k: string]: unknown
} | null)
/**
 * Command that led to it
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
 * A device was added, changed, removed or moved to another room; for filters that ask for it
 */
export interface DeviceLifecycleEvent {
/**
 * Milliseconds since the epoch
 */
eventTime: number
eventType: "DEVICE_LIFECYCLE_EVENT"
deviceLifecycleEvent: {
/**
 * What happened to the device
 */
lifecycle: ("CREATE" | "UPDATE" | "DELETE" | "ROOM_MOVE")
/**
 * Id of the event
 */
eventId: string
/**
 * Id of the location
 */
locationId: string
/**
 * The location, as owner
 */
ownerId: string
/**
 * What the owner is
 */
ownerType: "LOCATION"
/**
 * Id of the device
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
 * Room that it left
 */
roomIdFrom: (string | null)
/**
 * Room that it is in
 */
roomIdTo: (string | null)
}
}
}

/**
 * A device went online or offline; for filters that ask for it
 */
export interface DeviceHealthEvent {
/**
 * Milliseconds since the epoch
 */
eventTime: number
eventType: "DEVICE_HEALTH_EVENT"
deviceHealthEvent: {
/**
 * Id of the event
 */
eventId: string
/**
 * Id of the location
 */
locationId: string
/**
 * The location, as owner
 */
ownerId: string
/**
 * What the owner is
 */
ownerType: "LOCATION"
/**
 * Id of the device
 */
deviceId: string
/**
 * Hub of the device
 */
hubId: (string | null)
/**
 * Health of the device
 */
status: ("ONLINE" | "OFFLINE" | "UNHEALTHY")
/**
 * Why
 */
reason: string
}
}

/** The operations of document 1 */
export interface SupportOperations {
/** 1: List the reasons to ask about an order */
'GET /stg/us/contact/reason': { reply: GetContactReasonReply }
/** 2: List the form fields of a reason */
'GET /stg/us/contact/reason/fields': { parameters: GetContactReasonFieldsParameters; reply: GetContactReasonFieldsReply }
/** 3: Get a token for the call center */
'POST /stg/us/cti/guest/token': { reply: PostCtiGuestTokenReply }
/** 4: Save feedback */
'POST /stg/us/customerFeedback': { body: PostCustomerFeedbackRequest; reply: PostCustomerFeedbackReply }
/** 5: List the categories below one */
'GET /stg/us/dealer/categories/{id}/children': { parameters: GetDealerCategoriesIdChildrenParameters; reply: GetDealerCategoriesIdChildrenReply }
/** 6: Search a customer */
'GET /stg/us/dealer/customers': { parameters: GetDealerCustomersParameters; reply: GetDealerCustomersReply }
/** 7: Create a customer */
'POST /stg/us/dealer/customers': { body: PostDealerCustomersRequest; reply: PostDealerCustomersReply }
/** 8: Create a ticket with its appointment */
'POST /stg/us/dealer/customers/ticket': { body: PostDealerCustomersTicketRequest; reply: PostDealerCustomersTicketReply }
/** 9: Move the appointment of a ticket */
'POST /stg/us/dealer/customers/ticket/reschedule': { body: PostDealerCustomersTicketRescheduleRequest; reply: PostDealerCustomersTicketRescheduleReply }
/** 10: Cancel a ticket */
'DELETE /stg/us/dealer/customers/ticket/{srid}': { parameters: DeleteDealerCustomersTicketSridParameters; reply: DeleteDealerCustomersTicketSridReply | undefined }
/** 11: Find a registered product of a customer */
'GET /stg/us/dealer/customers/{customerId}/product': { parameters: GetDealerCustomersCustomerIdProductParameters; reply: GetDealerCustomersCustomerIdProductReply }
/** 12: List the registered products of a customer */
'GET /stg/us/dealer/customers/{customerId}/products': { parameters: GetDealerCustomersCustomerIdProductsParameters; reply: GetDealerCustomersCustomerIdProductsReply }
/** 14: Register a product */
'POST /stg/us/dealer/customers/{customerId}/products': { parameters: PostDealerCustomersIdProductsParameters; body: PostDealerCustomersIdProductsRequest; reply: PostDealerCustomersIdProductsReply }
/** 13: Edit a customer */
'POST /stg/us/dealer/customers/{id}': { parameters: PostDealerCustomersIdParameters; body: PostDealerCustomersIdRequest; reply: PostDealerCustomersIdReply }
/** 15: Submit a dispute about a purchase date */
'POST /stg/us/dealer/dispute': { body: PostDealerDisputeRequest; reply: PostDealerDisputeReply }
/** 16: Look up in-home appointments for a dealer */
'GET /stg/us/dealer/schedule': { parameters: GetDealerScheduleParameters; reply: GetDealerScheduleReply }
/** 17: List the stores of the company */
'GET /stg/us/dealer/stores': { parameters: GetDealerStoresParameters; reply: GetDealerStoresReply }
/** 18: Choose a symptom step by step, as a dealer */
'GET /stg/us/dealer/symptom': { parameters: GetDealerSymptomParameters; reply: GetDealerSymptomReply }
/** 19: List tickets */
'GET /stg/us/dealer/tickets': { parameters: GetDealerTicketsParameters; reply: GetDealerTicketsReply }
/** 20: Look up a ticket */
'GET /stg/us/dealer/tickets/{id}': { parameters: GetDealerTicketsIdParameters; reply: GetDealerTicketsIdReply }
/** 21: Read a troubleshooting guide, as a dealer */
'GET /stg/us/dealer/troubleshooting': { parameters: GetDealerTroubleshootingParameters; reply: GetDealerTroubleshootingReply }
/** 22: Save feedback of a guest */
'POST /stg/us/guest/customerFeedback': { body: PostGuestCustomerFeedbackRequest; reply: PostGuestCustomerFeedbackReply }
/** 23: Validate a device by serial number or IMEI, with its model */
'POST /stg/us/guest/product/validation': { parameters: PostGuestProductValidationParameters; reply: PostGuestProductValidationReply }
/** 24: Validate a device by serial number or IMEI alone */
'GET /stg/us/guest/product/validation/{deviceId}': { parameters: GetGuestProductValidationDeviceIdParameters; reply: GetGuestProductValidationDeviceIdReply }
/** 25: Look up in-home appointments */
'GET /stg/us/guest/schedule': { parameters: GetGuestScheduleParameters; reply: GetGuestScheduleReply }
/** 26: Upload an image of a symptom to a service request */
'POST /stg/us/guest/serviceRequest/asset/symptomImage': { parameters: PostGuestServiceRequestAssetSymptomImageParameters; form: 'imageFile'; reply: PostGuestServiceRequestAssetSymptomImageReply }
/** 27: Choose a symptom step by step */
'GET /stg/us/guest/symptom': { parameters: GetGuestSymptomParameters; reply: GetGuestSymptomReply }
/** 28: List the colors of a model */
'GET /stg/us/guest/symptom/changeColor': { parameters: GetGuestSymptomChangeColorParameters; reply: GetGuestSymptomChangeColorReply }
/** 29: Read a troubleshooting guide */
'GET /stg/us/guest/troubleshooting': { parameters: GetGuestTroubleshootingParameters; reply: GetGuestTroubleshootingReply }
/** 30: Look up a zip code */
'GET /stg/us/guest/zipCode': { parameters: GetGuestZipCodeParameters; reply: GetGuestZipCodeReply }
/** 31: Cancel an in-store request of yours */
'DELETE /stg/us/instore/cancel': { parameters: DeleteInstoreCancelParameters; reply: DeleteInstoreCancelReply | undefined }
/** 32: Check whether your profile has a mobile number */
'GET /stg/us/instore/checkmobile': { reply: GetInstoreCheckmobileReply }
/** 33: Create an in-store request with its appointment */
'POST /stg/us/instore/create': { body: PostInstoreCreateRequest; reply: PostInstoreCreateReply }
/** 34: Look up an in-store request of yours */
'GET /stg/us/instore/detail': { parameters: GetInstoreDetailParameters; reply: GetInstoreDetailReply | undefined }
/** 35: Cancel an in-store request by the link in its e-mail */
'DELETE /stg/us/instore/noauth/emailcancel': { parameters: DeleteInstoreNoauthEmailcancelParameters; reply: DeleteInstoreNoauthEmailcancelReply | undefined }
/** 36: Find the nearest walk-in service center */
'GET /stg/us/instore/noauth/nearest': { parameters: GetInstoreNoauthNearestParameters; reply: GetInstoreNoauthNearestReply }
/** 37: List the walk-in slots of a service center */
'GET /stg/us/instore/noauth/slots': { parameters: GetInstoreNoauthSlotsParameters; reply: GetInstoreNoauthSlotsReply }
/** 38: List the symptoms of in-store requests */
'GET /stg/us/instore/noauth/symptoms': { parameters: GetInstoreNoauthSymptomsParameters; reply: GetInstoreNoauthSymptomsReply }
/** 39: Look up a product group with its children */
'GET /stg/us/instore/noauth/taxonomy': { parameters: GetInstoreNoauthTaxonomyParameters; reply: GetInstoreNoauthTaxonomyReply }
/** 40: Look up all product groups */
'GET /stg/us/instore/noauth/taxonomyTree': { reply: GetInstoreNoauthTaxonomyTreeReply }
/** 41: List troubleshooting guide entries for in-store products */
'GET /stg/us/instore/noauth/tsg': { parameters: GetInstoreNoauthTsgParameters; reply: GetInstoreNoauthTsgReply }
}
