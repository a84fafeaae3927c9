import * as z from 'zod'
import { idText, instant, textUpTo, toSameCase } from '../formats.ts'

const SHAPE = 'document 2, section 2'
/** The document gives the type of such a field; its size and whether it is required are our choice. */
const shown = { source: SHAPE } as const

const filterType = z
  .enum(['SMARTAPPIDS', 'LOCATIONIDS', 'INSTALLEDSMARTAPPIDS', 'DEVICEIDS'])
  .meta({ description: 'What the ids of the filter are', example: 'LOCATIONIDS' })
export type FilterType = z.infer<typeof filterType>

const narrowing = (what: string, example: string) =>
  textUpTo(64)
    .optional()
    .meta({ description: `Only device events of this ${what}; absent or * for any`, example })

/** Document 2, section 2; what narrows a filter further is our choice. */
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
        description: 'Ids, or the single element ALL for all locations of the token',
        example: ['ALL'],
      }),
    eventType: z
      .array(textUpTo(64))
      .max(100)
      .optional()
      .meta({ description: 'Types of events; absent for DEVICE_EVENT', example: ['DEVICE_EVENT'] }),
    capability: narrowing('capability', 'switch'),
    attribute: narrowing('attribute', 'switch'),
    component: narrowing('component', 'main'),
  })
  .refine(({ type, value }) => type !== 'LOCATIONIDS' || !value.includes('ALL') || value.length === 1, {
    path: ['value'],
    message: 'must hold ALL alone, or location ids',
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
  description: 'Name of the subscription; its device events carry it',
  example: 'My lights',
})
const version = z.int().meta({ ...shown, description: 'Version of the payload', example: 1 })

export const subscriptionDraft = z.object({
  name: name.default('subscription'),
  version: version.default(1),
  subscriptionFilters: filters,
})
export type SubscriptionDraft = z.infer<typeof subscriptionDraft>

/** Document 2, section 4: PUT replaces the filters; name and version stay unless they are given (our choice). */
export const subscriptionUpdate = z.object({
  name: name.optional(),
  version: version.optional(),
  subscriptionFilters: filters,
})
export type SubscriptionUpdate = z.infer<typeof subscriptionUpdate>

export const subscriptionId = z
  .string()
  .overwrite(toSameCase)
  .meta({ description: 'Id of the subscription', format: 'uuid', example: '0b8f4f0e-5d0a-4c62-9f0e-3c1f7a4f2b11' })

/** Document 2, section 2: a subscription as it is answered; filters echo their type only. */
export const subscriptionReply = z.object({
  subscriptionId,
  registrationUrl: z.string().meta({
    description: 'Address of the stream',
    example: 'http://localhost:8080/filters/0b8f4f0e-5d0a-4c62-9f0e-3c1f7a4f2b11/activate?filterRegion=local&key=...',
  }),
  name,
  version,
  subscriptionFilters: z.array(z.object({ type: filterType })).max(100),
})

export const subscription = z.object({
  subscriptionId,
  user: z.string(),
  /** A stream opened by its key counts as this token's. */
  tokenDigest: z.string(),
  name,
  version,
  subscriptionFilters: filters,
  /** No event of another location is ever sent. */
  locations: z.array(z.string()).max(1000),
  /** Grows with each change of the filters. */
  revision: z.int(),
  /** Grows with each connection; ids of events begin with it. */
  generation: z.int(),
  createdAt: instant,
  usedAt: instant,
})
export type Subscription = z.infer<typeof subscription>
