import { createServiceToken } from '../domain/billing/service-tokens.ts'
import { getSubscriptionStatus } from '../domain/billing/subscription-statuses.ts'
import type { Ports } from '../ports.ts'
import { calls, type OperationName } from '../../contract/records/billing/calls.ts'
import type { SubscriptionStatus } from '../../contract/records/billing/subscription-status.ts'
import { requireInputs, type SoapCall } from './call.ts'
import { escapeXml, writeEnvelope } from './envelope.ts'
import { statusFields } from './schema.ts'

export type Answer = (ports: Ports, call: SoapCall) => Promise<string>

/** Document 3, section 4: both operations. What does not change in their replies is written once. */
export function createAnswer(namespace: string): Answer {
  const token = createReply('createServiceToken', namespace)
  const status = createReply('getSubscriptionStatus', namespace)
  return async (ports, { operation, wrapper }) => {
    switch (operation) {
      case 'createServiceToken':
        return token(await createServiceToken(ports, requireInputs(calls[operation], wrapper).secret))
      case 'getSubscriptionStatus':
        return status(writeStatus(await getSubscriptionStatus(ports, requireInputs(calls[operation], wrapper))))
    }
  }
}

/** Only the operation's own element is qualified. */
function createReply(operation: OperationName, namespace: string): (output: string) => string {
  const name = `ns2:${operation}Response`
  const head = `<${name} xmlns:ns2="${escapeXml(namespace)}"><output>`
  const tail = `</output></${name}>`
  return (output) => writeEnvelope(head + output + tail)
}

/** What is absent is left out: our choice. */
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
