import { defineChoices } from './choice.ts'

export const inStoreRequestsChoices = defineChoices('In-store requests', 'document 1', {
  'in-store-fields': {
    operations: [33],
    silence: '`#create`',
    choice: 'what [support.yaml](support.yaml) has as required, and modelCode or taxonomyCode',
  },
  'in-store-product': {
    operations: [33],
    silence: 'what 33 takes',
    choice:
      'the center takes the product as 36 has it, `walkInFlag` is Y of the taxonomy code and of the leaf ' +
      'in which the model stands, that leaf is the one that is named (a model that stands in none, or ' +
      'where leaves name no models: a leaf of its subtype), a bespoke symptom has a bespoke product, ' +
      'serial number and IMEI are right; at most 60 days ahead; else 400',
  },
  'in-store-references': {
    operations: [33],
    silence: '33: unknown model, taxonomy code, center, user',
    choice: '404; a taxonomy code above the deepest level, an unknown symptom, a zip code not in use: 400',
  },
  'open-request': {
    operations: [33],
    silence: '"open", "unregistered"',
    choice:
      'E0001 or E0002, also when missed (a miss gives nobody a second request); neither serialNumber nor ' +
      "imei is of the profile's registered products",
  },
  'no-in-store-request': {
    operations: [34],
    silence: '34 without a record',
    choice: "204, also for another user's",
  },
  'nearest-center': {
    operations: [36],
    silence: '36',
    choice:
      'no zip code: 400; not in use, unknown model, no center for it: 404; what may be handed in there 39 ' +
      'and 40 tell',
  },
  'bespoke-symptoms': {
    operations: [38],
    silence: '38',
    choice:
      '`bespoke=Y` or absent, else 400; a bespoke `modelCode` has the bespoke list, any other the ordinary ' +
      'one; `bespoke=Y` beside a model of another line: 400; an empty `bespoke` is absent, so the model ' +
      'decides',
  },
  taxonomies: {
    operations: [39, 40, 41],
    silence: '39, 40, 41',
    choice:
      "39: one level of children, and a group among these shows no `children` (an empty list is a leaf's: " +
      'it has none); 40: all, of 32 levels at most; 41: an empty list where there is no article',
  },
})

export const cancelLinkChoices = defineChoices('Cancel link', 'document 1', {
  'cancel-key-place': {
    operations: [35],
    silence: 'where the key is',
    choice: 'in the e-mail of the request, which goes to the outbox; never in a reply',
    why: 'who has the mail may cancel',
  },
  'cancel-page': {
    operations: [35],
    silence: 'what the link opens',
    choice: '`/cancel?srid=...&key=...`, a page whose button sends operation 35',
    why: 'mail scanners open links',
  },
  'cancel-key': {
    operations: [35],
    silence: 'the key',
    choice:
      '24 letters and digits; cancels once, nothing after any cancel or while the appointment is under ' +
      'way, again when it was missed; kept as a digest, compared in constant time',
  },
})

export const imagesChoices = defineChoices('Images', 'document 1', {
  'image-request': {
    operations: [26],
    silence: 'srid or ticketNumber (26)',
    choice: 'either; both must agree, neither is 400, and so is no file',
    why: 'an image belongs to a request',
  },
  'image-size': {
    operations: [26],
    silence: '5 MB',
    choice: '5,000,000 bytes, and an image is smaller',
    why: 'the smaller reading: what passes here passes there',
  },
  'image-format': {
    operations: [26],
    silence: 'format',
    choice: 'by content, never by name or type; checked before the request is looked for',
  },
  'image-owners': {
    operations: [26],
    silence: 'who may upload',
    choice:
      "a guest who knows the name, which nobody can guess (26 is a guest's operation, and a mail may have " +
      "the name); a user, of in-store requests, only the own, and dealers' tickets as a guest; a dealer " +
      "only the own company's tickets: else 404, foreign is as unknown",
  },
  'image-closed-request': {
    operations: [26],
    silence: 'to a closed request',
    choice: 'also',
    why: 'a picture may come behind the visit; the document names no end',
  },
  'image-refused': {
    operations: [26],
    silence: 'a refused upload',
    choice: 'leaves no bytes',
  },
  'image-form': {
    operations: [26],
    silence: 'a form with fields beside its image',
    choice: 'fields are ignored; at most 100 parts, and all of it smaller than 6 MB (5 for the image): else 400',
  },
})

export const productsChoices = defineChoices('Products', 'document 1', {
  'device-id-form': {
    operations: [8, 14, 23, 24, 33],
    silence: 'IMEI or serial number',
    choice: '15 digits are an IMEI with its check digit; else 11 or 15 of `A-Z 0-9`, in capitals: on 8, 14, 23, 24, 33',
  },
  'imei-products': {
    operations: [8, 14, 23, 33],
    silence: 'an IMEI',
    choice: 'for phones, tablets and watches; elsewhere `valid: false` on 23, 400 on 8, 14, 33',
    why: '"for mobile devices"',
  },
  'device-id-wrong-form': {
    operations: [23, 24],
    silence: 'a wrong form',
    choice:
      '`valid: false` with the `reason` on 23 (it is what the operation is for; none at all is 400); 404 ' +
      'on 24, which declares no 400',
  },
  'origin-device': {
    operations: [23],
    silence: '23: `originPrdId`',
    choice:
      'the device that was validated before: malformed, or by our records of another model or customer, ' +
      '`valid: false`',
  },
  'device-owner': {
    operations: [23, 24],
    silence: '23: `prof_id`; 23, 24: `email`',
    choice: 'the form of an identity; of an address: else 400 on 23, 404 on 24',
  },
  'no-device-id': {
    operations: [23, 24],
    silence: '24 without an id',
    choice: '405: it is the address of 23',
  },
  'unknown-device': {
    operations: [23],
    silence: '23: an unknown device',
    choice: 'valid when its model is known, `alreadyRegistered` false',
    why: 'dealers sell what we have not seen',
  },
  'device-model': {
    operations: [23],
    silence: '23: unknown model, or a device of another',
    choice: '200 `valid: false`',
  },
  'device-warranty': {
    operations: [23, 24],
    silence: '23, 24: warranty',
    choice: 'from the registration, else the sale; before it `warrantyEndDate` null',
  },
  colors: {
    operations: [28],
    silence: '28',
    choice: 'without a model all that come in colors; malformed 400, unknown 404',
  },
})
