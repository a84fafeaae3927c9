import { createControl, type VendorCloudWorld } from './client.ts'
import { type Config, readConfig } from './config.ts'
import { startServer } from './server.ts'

export type {
  ClockMove,
  ClockState,
  DeviceChange,
  DeviceEvent,
  Expectation,
  Fault,
  FaultDraft,
  JournalEntry,
  JournalMatch,
  OutboxMessage,
  Verdict,
  VendorCloudWorld,
  WorldOptions,
} from './client.ts'

export interface VendorCloudOptions {
  /** A free port unless told. */
  port?: number
  /** 127.0.0.1 unless told; on another address the control calls use the server's key. */
  host?: string
  /** Makes every id and token a function of it and of the calls. */
  seed?: string
  /** Folder of fixtures, or file of a snapshot, to start from. */
  fixtures?: string
  snapshot?: string
  /** Whether the fixture devices live. */
  simulate?: boolean
  /** Further settings by the names of their environment variables. */
  settings?: { readonly [Name in keyof Config]?: string }
}

/** A running server: its default world, and the way to others. */
export interface VendorCloud extends VendorCloudWorld {
  /** Key of the control API, where it needs one. */
  controlKey: string | undefined
  /** Requests in flight finish, streams end. */
  stop(): Promise<void>
}

/** Starts the server in this process; the environment's variables are not looked at. */
export async function startVendorCloud(options: VendorCloudOptions = {}): Promise<VendorCloud> {
  const { port = 0, host, seed, fixtures, snapshot, simulate, settings } = options
  const config = readConfig({
    ...settings,
    PORT: String(port),
    ...(host !== undefined && { HOST: host }),
    ...(seed !== undefined && { SEED: seed }),
    ...(fixtures !== undefined && { FIXTURES: fixtures }),
    ...(snapshot !== undefined && { SNAPSHOT: snapshot }),
    ...(simulate && { SIMULATE: '1' }),
  })
  const { url, controlKey, close } = await startServer(config)
  return { ...createControl(url, controlKey), controlKey, stop: close }
}

/** The same calls to a server that runs elsewhere, such as in a container. */
export function connectVendorCloud(url: string, controlKey?: string): VendorCloudWorld {
  return createControl(url.replace(/\/+$/, ''), controlKey)
}
