import { billingOperations } from '../../contract/documents/billing/operations.ts'
import { streamOperations } from '../../contract/documents/events/streams.ts'
import { subscriptionOperations } from '../../contract/documents/events/subscriptions.ts'
import { supportOperations } from '../../contract/documents/support/operations.ts'
import { walletOperations } from '../../contract/documents/wallet/availability.ts'

type Described = Readonly<Record<string, { operation?: number | string; summary?: string }>>

/** SOAP operations have no summaries, so their names are split into words. */
const summaries: ReadonlyMap<string, string> = new Map([
  ...toPairs({ ...supportOperations, ...subscriptionOperations, ...streamOperations, ...walletOperations }),
  ...Object.keys(billingOperations).map((name): [string, string] => [name, splitWords(name)]),
])

export function findSummary(operation: number | string | undefined): string | undefined {
  return operation === undefined ? undefined : summaries.get(String(operation))
}

function toPairs(operations: Described): [string, string][] {
  return Object.entries(operations).flatMap(([name, { operation = name, summary }]) =>
    summary === undefined
      ? [[String(operation), splitWords(String(operation))] as [string, string]]
      : [[String(operation), summary] as [string, string]],
  )
}

function splitWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
