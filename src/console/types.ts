/** What the console reads of the control API's answers. */
export interface Clock {
  now: string
  frozen: boolean
  offsetMs: number
}

export interface Message {
  headers: Record<string, string>
  body?: unknown
}

export interface Entry {
  id: number
  kind: 'request' | 'frame'
  at: string
  operation?: number | string
  caller?: string
  requestId?: string
  method?: string
  path?: string
  query?: string
  status?: number
  durationMs?: number
  request?: Message
  response?: Message
  why?: Reason
  frame?: { subscriptionId: string; event: string; id?: string; data: unknown }
}

export interface Reason {
  code: string
  message: string
  source?: string
  findings: { code: string; message: string; target: string; source?: string }[]
}

export interface Stream {
  subscriptionId: string
  name: string
  user: string
  generation: number
  openedAt: string
  eventsSent: number
  bytesWaiting: number
}

export interface EventOrigin {
  eventId: string
  deviceId: string
}

/** What happened on a device. */
export type PlatformEvent = { eventTime: number } & (
  | { eventType: 'DEVICE_EVENT'; deviceEvent: DeviceEvent }
  | { eventType: 'DEVICE_HEALTH_EVENT'; deviceHealthEvent: EventOrigin & { status: string } }
  | { eventType: 'DEVICE_LIFECYCLE_EVENT'; deviceLifecycleEvent: EventOrigin & { lifecycle: string } }
)

export interface DeviceEvent extends EventOrigin {
  componentId: string
  capability: string
  attribute: string
  value: unknown
  unit?: string
}

export interface Status {
  version: string
  world: string
  liveStreams: number
  counts: Record<string, number>
}

export interface Page<T> {
  items: T[]
  totalCount: number
}

export type StoredRecord = Record<string, unknown>
