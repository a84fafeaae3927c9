import { sayValue } from '../call-places.ts'
import type { Call } from '../../calls/call.ts'
import { toHeaders } from '../../calls/callers.ts'
import { requireOperation, type VendorOperation } from '../../calls/operations.ts'
import type { Before, Change, Ground, Mender } from '../mender.ts'
import { findRecord, listRecords, nearestFirst, valuesOf } from '../known/records.ts'

type Inputs = Readonly<Record<string, unknown>>

/** Document 3, section 7: malformed calls, missing and invalid parameters, unknown and expired tokens. */
export const mendBilling: Mender = async (ground, { call, refusal: { code } }) => {
  const operation = call.operation?.soap ? call.operation : findCalled(call)
  if (!operation) return []
  if (code === 'Client' || typeof call.body === 'string') return [rewrite(call, operation)]
  const inputs = (call.body ?? {}) as Inputs
  const name = operation.soap!
  if (name === 'createServiceToken') return withSecrets(ground, call, inputs)
  const purchaseID = typeof inputs.purchaseID === 'string' ? inputs.purchaseID : ''
  const purchase = await findRecord(ground.fork, 'purchases', purchaseID)
  if (/^30[01]$/.test(code)) return [withToken(ground, call, purchase?.sellerSecret)]
  if (code === '10' && inputs.serviceToken === undefined) return [withToken(ground, call, purchase?.sellerSecret)]
  if (code === '15' || code === '10') return withPurchases(ground, call, purchaseID)
  return []
}

/** A message that is no SOAP was refused before its operation was known. */
function findCalled({ path, body }: Call): VendorOperation | undefined {
  if (!/\/iap\/ws\/RTCService/.test(path)) return undefined
  const [name = 'createServiceToken'] = /createServiceToken|getSubscriptionStatus/.exec(String(body)) ?? []
  return requireOperation(name)
}

function rewrite(call: Call, operation: VendorOperation): Change {
  const { method, path } = operation
  const sample = operation.contract.example?.body as Inputs
  const named = Object.keys(sample).map((name) => {
    const [, value] = new RegExp(`<(?:\\w+:)?${name}\\b[^>]*>([^<]*)<`).exec(String(call.body)) ?? []
    return [name, value ?? sample[name]]
  })
  const changed = { operation, method, path, params: {}, query: {}, headers: toHeaders(operation, undefined) }
  return {
    call: { ...changed, body: Object.fromEntries(named) },
    told: `it is a SOAP 1.1 call of ${operation.operation} by POST`,
  }
}

function withSecrets({ people }: Ground, call: Call, inputs: Inputs): Change[] {
  return nearestFirst(inputs.secret, people.sellers).map((secret) => ({
    call: { ...call, body: { ...inputs, secret } },
    told: `secret is ${secret}, a seller's`,
  }))
}

/** Document 3, section 5, rule 4: the server must obtain a new token and submit the request again. */
function withToken({ people }: Ground, call: Call, seller: unknown): Change {
  const operation = requireOperation('createServiceToken')
  const { method, path } = operation
  const secret = typeof seller === 'string' ? seller : people.sellers[0]
  const callWith = (body: Inputs): Call => ({
    operation,
    method,
    path,
    params: {},
    query: {},
    headers: toHeaders(operation, undefined),
    body,
  })
  const isPublished = secret === undefined || people.sellers.includes(secret)
  const first: Before = {
    told: 'createServiceToken gets a new token, which is put into the call',
    call: callWith({ secret }),
    ...(!isPublished && { shown: callWith({ secret: '{{sellerSecret of the purchase}}' }) }),
    read: {
      name: 'output of createServiceToken',
      from: (body) => /<output[^>]*>([^<]+)</.exec(String(body))?.[1],
      into: (each, serviceToken) => ({ ...each, body: { ...(each.body as object), serviceToken } }),
    },
  }
  return { call, told: 'serviceToken is the one that createServiceToken has just given', first }
}

/** No record says which seller a token belongs to, so the purchases with the nearest ids are tried. */
async function withPurchases({ fork }: Ground, call: Call, given: string): Promise<Change[]> {
  const known = valuesOf(await listRecords(fork, 'purchases'), 'purchaseID')
  return nearestFirst(given, known)
    .slice(0, 6)
    .map((purchaseID) => ({
      call: { ...call, body: { ...(call.body as object), purchaseID } },
      told: `purchaseID is ${sayValue(purchaseID)}, which there is`,
    }))
}
