// A client that npm `soap` creates from the WSDL. It requests the status ten times a second.
import { setTimeout as wait } from 'node:timers/promises'
import process from 'node:process'
import { createClientAsync } from 'soap'

const { VENDOR_CLOUD_URL: url, VENDOR_CLOUD_SELLER_SECRET: secret, VENDOR_CLOUD_PURCHASE_ID: purchaseID } = process.env
const client = await createClientAsync(`${url}/iap/ws/RTCService?wsdl`)
const codeOf = ({ root }) => root?.Envelope.Body.Fault?.detail?.WebServiceException?.errorCode

let serviceToken
for (; ; await wait(100)) {
  try {
    serviceToken ??= (await client.createServiceTokenAsync({ secret }))[0].output
    const [{ output }] = await client.getSubscriptionStatusAsync({ purchaseID, serviceToken })
    console.log(output.subscriptionStatus, output.subscriptionEndDate)
  } catch (error) {
    if (Number(codeOf(error)) === 300) break
    if (Number(codeOf(error)) === 301) serviceToken = undefined
  }
}
