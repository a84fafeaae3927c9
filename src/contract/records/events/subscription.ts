import * as z from 'zod'
import { capabilities } from './capabilities.ts'
import type { EventType } from './platform-event.ts'
import { idText, instant, textUpTo, toSameCase } from '../formats.ts'

const SHAPE = 'document 2, section 2'
const shown = { source: SHAPE } as const

const eventTypes: readonly EventType[] = ['DEVICE_EVENT', 'DEVICE_LIFECYCLE_EVENT', 'DEVICE_HEALTH_EVENT']

const filterType = z
  .enum(['SMARTAPPIDS', 'LOCATIONIDS', 'INSTALLEDSMARTAPPIDS', 'DEVICEIDS'])
  .meta({ description: 'Type of the IDs in the filter', example: 'LOCATIONIDS' })
export type FilterType = z.infer<typeof filterType>

const narrowing = (what: string, example: string, known: NonNullable<z.GlobalMeta['known']>) =>
  textUpTo(64)
    .optional()
    .meta({ description: `Only device events of this ${what}. Absent or *: any ${what}.`, example, known })

/** All attributes if the capability is not known. */
function attributesOf({ capability }: { capability?: unknown }): string[] {
  const attributes = new Map(Object.entries(capabilities)).get(String(capability))
  return (attributes ? [attributes] : Object.values(capabilities)).flatMap(Object.keys)
}

/** Document 2, section 2. The fields after `value` are not in the document. */
export const subscriptionFilter = z
  .object({
    type: filterType.meta(shown),
    value: z
      .array(idText(64).meta(shown))
      .min(1)
      .max(1000)
      .meta({
        ...shown,
        choice: 'subscription-fields',
        description: 'IDs. For LOCATIONIDS, the single entry ALL selects all locations of the token.',
        example: ['ALL'],
      }),
    eventType: z
      .array(textUpTo(64).meta({ known: eventTypes }))
      .max(100)
      .optional()
      .meta({ description: `Any of ${eventTypes.join(', ')}. Default: DEVICE_EVENT.`, example: ['DEVICE_EVENT'] }),
    capability: narrowing('capability', 'switch', Object.keys(capabilities)),
    attribute: narrowing('attribute', 'switch', attributesOf),
    component: narrowing('component', 'main', ['main']),
  })
  .refine(({ type, value }) => type !== 'LOCATIONIDS' || !value.includes('ALL') || value.length === 1, {
    path: ['value'],
    message: 'must be either ALL alone or a list of location IDs',
    params: { source: SHAPE },
  })
export type SubscriptionFilter = z.infer<typeof subscriptionFilter>

const filters = z
  .array(subscriptionFilter.meta(shown))
  .min(1)
  .max(100)
  .meta({ ...shown, choice: 'subscription-fields' })
const name = textUpTo(256).meta({
  ...shown,
  description: 'Name of the subscription, which its device events contain',
  example: 'My lights',
})
const version = z.int().meta({ ...shown, description: 'Version of the payload', example: 1 })

export const subscriptionDraft = z.object({
  name: name.default('subscription'),
  version: version.default(1),
  subscriptionFilters: filters,
})
export type SubscriptionDraft = z.infer<typeof subscriptionDraft>

/** Document 2, section 4: the body of an update. Absent fields remain unchanged. */
export const subscriptionUpdate = z.object({
  name: name.optional(),
  version: version.optional(),
  subscriptionFilters: filters,
})
export type SubscriptionUpdate = z.infer<typeof subscriptionUpdate>

export const subscriptionId = z
  .string()
  .overwrite(toSameCase)
  .meta({ description: 'ID of the subscription', format: 'uuid', example: '0b8f4f0e-5d0a-4c62-9f0e-3c1f7a4f2b11' })

/** Document 2, section 2: a subscription in a response. Its filters contain only their type. */
export const subscriptionReply = z.object({
  subscriptionId,
  registrationUrl: z.string().meta({
    description: 'URL of the event stream',
    example: 'http://localhost:8080/filters/0b8f4f0e-5d0a-4c62-9f0e-3c1f7a4f2b11/activate?filterRegion=local&key=...',
  }),
  name,
  version,
  subscriptionFilters: z.array(z.object({ type: filterType })).max(100),
})

export const subscription = z.object({
  subscriptionId,
  user: z.string(),
  /**
   * The token that created the subscription. Its locations and lifetime apply to a stream that is opened with the key.
   */
  tokenDigest: z.string(),
  name,
  version,
  subscriptionFilters: filters,
  locations: z.array(z.string()).max(1000),
  /** Incremented whenever the filters change. */
  revision: z.int(),
  /** Incremented by each connection. Event IDs start with this number. */
  generation: z.int(),
  createdAt: instant,
  usedAt: instant,
})
export type Subscription = z.infer<typeof subscription>
