import * as z from 'zod'
import { supportOperations } from '#contract/documents/support/operations.ts'
import { barcode } from '#contract/records/wallet/card.ts'
import { additionalInformation, classification, locations } from '#contract/records/wallet/card-details.ts'
import type { ApiDescription } from './routes.ts'

/** Request headers of all operations: document 1, section 4. */
const supportHeaders = z.object({
  'request-source': z.enum(['vendor.com', 'splus', 'voyager']).meta({
    description: 'Origin of the request: vendor.com (web site), splus or voyager (apps)',
    example: 'vendor.com',
  }),
  'vendorus-GUID': z
    .string()
    .optional()
    .meta({ description: 'Identity of an app user (splus and voyager)', example: 'splus-carol' }),
  'vendorus-profId': z.string().optional().meta({
    description: 'Identity of a web site user. The cookie vendorus-profId takes precedence.',
    example: 'web-alice',
  }),
})

const supportIntroduction = `The customer-support interface of a consumer-electronics vendor: ${Object.keys(supportOperations).length} operations.

Paths under \`contact\`, \`customerFeedback\`, \`dealer\` and \`instore\` require an identity. It is optional under
\`guest\` and \`cti\`, and ignored under \`instore/noauth\`.`

const UNSHOWN = 'named in the document without an operation'

/** Tags and their descriptions are from document 1, section 1. */
const supportTags = Object.entries({
  'Order Help': 'list contact reasons and the form fields of a reason',
  Cti: 'obtain a guest CTI token',
  CustomerFeedback: 'save customer feedback',
  'Dealer Portal': 'dealer-side categories, customers, registered products, tickets, disputes, stores',
  Schedules: 'appointment schedule lookup',
  'Symptom / TroubleShooting': 'stepwise symptom selection and troubleshooting guide retrieval',
  'Symptom Image': 'upload of symptom images to a service request',
  Registration: 'validation of a device by IMEI or serial number',
  Zipcode: 'zip code lookup',
  'In Store': 'create, view and cancel in-store service requests; slots, symptoms, taxonomy, troubleshooting list',
  'Symptom Movie': UNSHOWN,
  'Server DownTime': UNSHOWN,
  Statics: UNSHOWN,
  'Service Request': UNSHOWN,
  User: UNSHOWN,
  'We come to you': UNSHOWN,
  'Store Locator': UNSHOWN,
  MX: UNSHOWN,
  SC4U: UNSHOWN,
  'Mail In': UNSHOWN,
  'Photo Upload': UNSHOWN,
  Promotion: UNSHOWN,
  'Range Recall': UNSHOWN,
}).map(([name, description]) => ({ name, description }))

export const apis = {
  support: {
    title: 'Support requests',
    version: 'stg',
    description: supportIntroduction,
    includes: ({ config }) => typeof config.operation === 'number',
    headers: supportHeaders,
    tags: supportTags,
  },
  events: {
    title: 'Event subscriptions',
    version: '1',
    description: 'Subscriptions to events of connected devices, and the event stream.',
    includes: ({ url }) => /^\/(subscriptions|filters)\b/.test(url),
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  },
  wallet: {
    title: 'Wallet device check',
    version: 'v2.0',
    description: 'Checks whether a device model supports the wallet.',
    includes: ({ url, config }) => url.startsWith('/wallet/') && config.operation !== undefined,
    components: [barcode, locations, additionalInformation, classification],
  },
  control: {
    title: 'Control API',
    version: '1',
    description: 'Controls the server in tests and demos: worlds, clock, journal, faults, devices, records, snapshots.',
    includes: ({ url }) => url.startsWith('/_control/'),
  },
} as const satisfies Record<string, ApiDescription>

export type ApiName = keyof typeof apis
