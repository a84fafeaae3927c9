import { billing, billingAlways } from './billing.ts'
import { events } from './events.ts'
import { eventsAlways } from './events-always.ts'
import { support } from './support.ts'
import { supportAlways } from './support-always.ts'
import { wallet, walletAlways } from './wallet.ts'
import type { Check, DocumentName, Scenario } from '../check.ts'

export const scenarios: readonly Scenario[] = Object.entries({ support, events, wallet, billing }).flatMap(
  ([document, chapter]) => chapter.map((scenario) => ({ ...scenario, document: document as DocumentName })),
)

export const always: Readonly<Record<DocumentName, readonly Check[]>> = {
  support: supportAlways,
  events: eventsAlways,
  wallet: walletAlways,
  billing: billingAlways,
}

export function listChecks(): readonly (Check & { document: DocumentName; scenario?: string })[] {
  return [
    ...Object.entries(always).flatMap(([document, checks]) =>
      checks.map((check) => ({ ...check, document: document as DocumentName })),
    ),
    ...scenarios.flatMap(({ name, document, checks }) =>
      checks.map((check) => ({ ...check, document, scenario: name })),
    ),
  ]
}
