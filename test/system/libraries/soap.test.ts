import { createClientAsync } from 'soap'
import { soap as strongSoap } from 'strong-soap'
import { describe, expect, test } from 'vitest'
import { SECRET, startBilling } from '../../helpers/documents/soap.ts'

const expectedStatus = {
  subscriptionStatus: 'ACTIVE',
  subscriptionFirstPurchaseID: 'purchase-tiered',
  localPrice: 1.188,
  currentPaymentPlan: 'T',
  totalNumberOfTieredPayment: '2',
}

function faultOf(name: string, errorCode: number | string): object {
  const detail = { WebServiceException: { errorCode, errorMessage: name } }
  return { root: { Envelope: { Body: { Fault: { faultcode: 'soap:Server', faultstring: name, detail } } } } }
}

describe('npm package soap, unmodified', () => {
  test('the soap client loads the WSDL, calls both operations and parses a fault', async () => {
    const { address } = await startBilling()
    const client = await createClientAsync(`${address}?wsdl`)
    expect(client.describe()).toHaveProperty('RTCServiceService.RTCServicePort.getSubscriptionStatus')
    const [token] = await client.createServiceTokenAsync({ secret: SECRET })
    expect(token.output).toMatch(/^\w{96}$/)
    const input = { purchaseID: 'purchase-tiered', serviceToken: token.output }
    const [status] = await client.getSubscriptionStatusAsync(input)
    expect(status.output).toMatchObject(expectedStatus)
    const failure = await client.createServiceTokenAsync({ secret: '1' }).catch((error: unknown) => error)
    // This library returns the children of a fault's detail as strings, whatever their type is.
    expect(failure).toMatchObject(faultOf('INVALID_SECRET', '300'))
  })
})

describe('npm package strong-soap, unmodified', () => {
  type Call = (input: object, done: (error: unknown, result: { output: unknown }) => void) => void
  type Operation = 'createServiceToken' | 'getSubscriptionStatus'
  const open = (address: string) =>
    new Promise<Record<Operation, Call>>((resolve, reject) => {
      strongSoap.createClient(`${address}?wsdl`, {}, (error: unknown, client: unknown) =>
        error ? reject(error) : resolve(client as Record<Operation, Call>),
      )
    })
  const ask = (client: Record<Operation, Call>, operation: Operation, input: object) =>
    new Promise<{ output: unknown }>((resolve, reject) => {
      client[operation](input, (error, result) => (error ? reject(error) : resolve(result)))
    })

  test('the strong-soap client loads the WSDL, calls both operations and parses a fault', async () => {
    const { address } = await startBilling()
    const client = await open(address)
    const token = await ask(client, 'createServiceToken', { secret: SECRET })
    expect(token.output).toMatch(/^\w{96}$/)
    const input = { purchaseID: 'purchase-tiered', serviceToken: token.output }
    const status = await ask(client, 'getSubscriptionStatus', input)
    expect(status.output).toMatchObject(expectedStatus)
    const failure = await ask(client, 'createServiceToken', { secret: '' }).catch((error: unknown) => error)
    expect(failure).toMatchObject(faultOf('MISSING_PARAMETER', 10))
  })
})
