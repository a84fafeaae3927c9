import { agentOperations } from './agents.ts'
import { choiceOperations, profileOperations, sessionOperations } from './choices.ts'
import { clockOperations } from './clock.ts'
import { deviceOperations, scenarioOperations, streamOperations, tokenOperations } from './events.ts'
import { examinationOperations } from './examination.ts'
import { faultOperations } from './faults.ts'
import { coverageOperations, journalOperations } from './journal.ts'
import { outboxOperations } from './outbox.ts'
import { purchaseOperations } from './purchases.ts'
import { recordingOperations } from './recordings.ts'
import { recordOperations } from './records.ts'
import type { controlRoutes } from './routes.ts'
import { calendarOperations, imageOperations, progressOperations, ticketOperations } from './tickets.ts'
import { pactStateOperations, snapshotOperations } from './snapshots.ts'
import { feedOperations, statusOperations } from './status.ts'
import { variationOperations } from './variation.ts'
import { walletOperations } from './wallet.ts'
import { worldOperations } from './worlds.ts'

export const controlOperations = {
  ...statusOperations,
  ...worldOperations,
  ...clockOperations,
  ...journalOperations,
  ...faultOperations,
  ...variationOperations,
  ...choiceOperations,
  ...profileOperations,
  ...sessionOperations,
  ...pactStateOperations,
  ...outboxOperations,
  ...recordOperations,
  ...recordingOperations,
  ...coverageOperations,
  ...examinationOperations,
  ...snapshotOperations,
  ...ticketOperations,
  ...progressOperations,
  ...calendarOperations,
  ...purchaseOperations,
  ...walletOperations,
  ...tokenOperations,
  ...deviceOperations,
  ...scenarioOperations,
  ...streamOperations,
  ...imageOperations,
  ...feedOperations,
  ...agentOperations,
} satisfies { readonly [Name in keyof typeof controlRoutes]: { route: (typeof controlRoutes)[Name] } }
