import type { ControlApp, ControlContext } from './context.ts'
import { clock } from './clock.ts'
import { devices } from './devices.ts'
import { faults } from './faults.ts'
import { feed } from './feed.ts'
import { images } from './images.ts'
import { journal } from './journal.ts'
import { outbox } from './outbox.ts'
import { purchases } from './purchases.ts'
import { records } from './records.ts'
import { scenarios } from './scenarios.ts'
import { serviceRequests } from './service-requests.ts'
import { snapshots } from './snapshot.ts'
import { statusAndReset } from './status.ts'
import { streams } from './streams.ts'
import { tokens } from './tokens.ts'
import { walletTools } from './wallet.ts'
import { worldRoutes } from './worlds.ts'

/** The control API, route file by route file. Each acts on the world the request addresses. */
export const controlRoutes: readonly ((app: ControlApp, context: ControlContext) => void)[] = [
  statusAndReset,
  worldRoutes,
  clock,
  journal,
  faults,
  outbox,
  records,
  snapshots,
  serviceRequests,
  purchases,
  walletTools,
  tokens,
  devices,
  scenarios,
  streams,
  images,
  feed,
]
