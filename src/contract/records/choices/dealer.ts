import { defineChoices } from './choice.ts'
import { oneOf } from './value.ts'

export const dealerPortalChoices = defineChoices('Dealer portal', 'document 1', {
  'customer-search': {
    silence: 'which customer 6 answers',
    choice:
      'of those that match every filter the one with the lowest bpNo; how many match is in ' +
      '`x-total-count`; none: 404',
    why: 'one Customer is declared',
  },
  'customer-matching': {
    silence: 'how 6 compares',
    choice:
      'whole names in any letter case, accents in either encoding; phones as E.164; five digits of zip ' +
      'find 5+4 codes, a 5+4 filter is exact',
  },
  'impossible-filters': {
    operations: [6, 17, 19],
    silence: '6, 17, 19: a value that cannot be one',
    choice: 'matches nothing',
    why: 'no 400 is declared',
  },
  'address-check': {
    value: oneOf('state', 'city', 'off'),
    operations: [7, 13],
    silence: '7, 13: address',
    choice: 'state and zip must agree (a ticket needs a real place); the city is any name',
    why: 'people write Manhattan, Hollywood',
  },
  'customer-edit': {
    operations: [13],
    silence: '13: what is absent; null or an empty text',
    choice: 'stays; clears address2 and mobilePhone, of another field 400, and nothing is changed',
  },
  'customer-number': {
    operations: [11, 12, 13, 14],
    silence: '11 to 14: another `bpNo` in query or body',
    choice: '404; on 14 it may be left out',
  },
  'product-search': {
    operations: [11, 12],
    silence: '11: several match; 12: many',
    choice:
      'the one registered last; the first 100, last registered first, with the offset and limit that ' +
      'applied (12 declares no paging); none is an empty wrapper; unknown filter values match nothing',
  },
  'no-customer-list': {
    silence: 'a list of all customers',
    choice: 'none: 6 is declared to answer one',
  },
  'product-renewal': {
    operations: [14],
    silence: '14: the same model, serial number and serviceType',
    choice: 'renews: same productId, new registeredAt',
    why: 'a repeated call makes no second product',
  },
  'product-registration': {
    operations: [14],
    silence: '14: unknown model; a device of another model; of another customer',
    choice: '404; 400; 400 `ConflictError`',
  },
  'purchase-date': {
    operations: [14, 15],
    silence: '14, 15: purchase date',
    choice: 'not after today (UTC)',
  },
  warranty: {
    silence: 'warranty',
    choice:
      "from the purchase date, else the day of registration, for the model's months; the end date is its " +
      'last day, UTC',
  },
  disputes: {
    operations: [15],
    silence: '15',
    choice:
      'a request of its own: `DS`, E0001 "Open: dispute submitted", no appointment; unregistered product ' +
      'or unknown receipt: 404; a second open one for the product: 400 `ConflictError`',
  },
  receipts: {
    operations: [15],
    silence: '15: receipts',
    choice: "a company's own, or the `fileKey` of an image that 26 took for its ticket; another's is 404",
  },
  'dispute-end': {
    operations: [15],
    silence: '15: how it ends',
    choice:
      'completed (control API): the claimed date goes into the registration, the warranty is computed ' +
      'anew; cancelled (10): nothing changes',
  },
  'store-list': {
    operations: [17],
    silence: '17',
    choice:
      'by storeName unless sorted; paged with `pagination=true`, else the first 100; an unknown one of ' +
      '`fields` is 400',
  },
  'empty-lists': {
    operations: [17, 19],
    silence: '17, 19: nothing matches',
    choice: '200, an empty wrapper',
  },
  'list-sorting': {
    operations: [17, 19],
    silence: '17, 19: sorting',
    choice: '`asc`, `desc`; unknown fields 400; 19: newest first, a direction alone is for createdAt',
  },
  'ticket-category': {
    operations: [19],
    silence: '19: `subCategory`',
    choice: "the category of the ticket's model, by id or name; unknown: matches nothing",
  },
  'other-kind-of-request': {
    operations: [9, 10, 19, 20],
    silence: '9, 10, 19, 20 and in-store requests (`CI`)',
    choice: 'unknown to them, as others are to 31 and 34 (document 1, section 4, rule 3)',
  },
  'malformed-srid': {
    silence: 'a malformed srid',
    choice: '400 where 400 is declared (26, 31, 34, 35), else like an unknown one',
  },
})
