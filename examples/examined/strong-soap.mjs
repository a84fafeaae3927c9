// A client that npm `strong-soap` creates from the WSDL. It requests the status ten times a second.
import { setTimeout as wait } from 'node:timers/promises'
import process from 'node:process'
import { promisify } from 'node:util'
import { soap } from 'strong-soap'

const { VENDOR_CLOUD_URL: url, VENDOR_CLOUD_SELLER_SECRET: secret, VENDOR_CLOUD_PURCHASE_ID: purchaseID } = process.env
const client = await promisify(soap.createClient)(`${url}/iap/ws/RTCService?wsdl`, {})
const codeOf = ({ root }) => root?.Envelope.Body.Fault?.detail?.WebServiceException?.errorCode

let serviceToken
for (; ; await wait(100)) {
  try {
    serviceToken ??= (await client.createServiceToken({ secret })).result.output
    const { output } = (await client.getSubscriptionStatus({ purchaseID, serviceToken })).result
    console.log(output.subscriptionStatus, output.subscriptionEndDate)
  } catch (error) {
    if (Number(codeOf(error)) === 300) break
    if (Number(codeOf(error)) === 301) serviceToken = undefined
  }
}
