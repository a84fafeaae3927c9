import type { z } from 'zod'
import { type BillingOperation, billingOperations } from '#contract/documents/billing/operations.ts'
import type { SubscriptionStatus } from '#contract/records/billing/subscription-status.ts'
import { createServiceToken } from '../domain/billing/service-tokens.ts'
import { getSubscriptionStatus } from '../domain/billing/subscription-statuses.ts'
import type { Ports } from '../ports.ts'
import { requireInputs, type SoapCall } from './call.ts'
import { escapeXml, writeEnvelope } from './envelope.ts'
import { statusFields } from './schema.ts'

export type Answer = (ports: Ports, call: SoapCall) => Promise<string>

type Contract<Name extends BillingOperation> = (typeof billingOperations)[Name]

/** Document 3, section 4. */
const handlers: {
  readonly [Name in BillingOperation]: (
    ports: Ports,
    input: z.output<Contract<Name>['input']>,
  ) => Promise<z.output<Contract<Name>['output']>>
} = {
  createServiceToken: async (ports, { secret }) => createServiceToken(ports, secret),
  getSubscriptionStatus,
}

/** Constant parts of the replies are written once, since every call needs them. */
export function createAnswer(namespace: string): Answer {
  const write = Object.fromEntries(
    Object.keys(billingOperations).map((name) => [name, createReply(name, namespace)]),
  ) as Record<BillingOperation, (output: string) => string>
  return async (ports, { operation, wrapper }) => {
    const input = requireInputs(billingOperations[operation].input, wrapper)
    // The compiler cannot follow the input through the table.
    const output = await handlers[operation](ports, input as never)
    return write[operation](typeof output === 'string' ? output : writeStatus(output))
  }
}

/** Only the operation's own element is qualified. */
function createReply(operation: string, namespace: string): (output: string) => string {
  const name = `ns2:${operation}Response`
  const head = `<${name} xmlns:ns2="${escapeXml(namespace)}"><output>`
  const tail = `</output></${name}>`
  return (output) => writeEnvelope(head + output + tail)
}

/** Absent values are left out: our choice. */
function writeStatus(status: SubscriptionStatus): string {
  let xml = ''
  for (const { name } of statusFields) {
    const value = status[name]
    if (value === undefined) continue
    xml += `<${name}>${typeof value === 'number' ? writePrice(value) : escapeXml(value)}</${name}>`
  }
  return xml
}

/** Three decimals, a half rounded up: our choice. In decimals: binary fractions lie beside the halves of people. */
function writePrice(price: number): string {
  return (Math.round(Number((price * 1000).toPrecision(15))) / 1000).toFixed(3)
}
