import { httpStatuses, type Statuses } from '../http/json-errors.ts'

/** Document 1 declares no 409, 413, 415 or 422: there these are a 400 with an error code of their own. */
export const supportStatuses = {
  ...httpStatuses,
  conflict: 400,
  'slot-unavailable': 400,
  'limit-exceeded': 400,
  'payload-too-large': 400,
  'unsupported-media-type': 400,
} as const satisfies Statuses
