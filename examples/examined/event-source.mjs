// The unmodified EventSource of a package: `node event-source.mjs eventsource` or `node event-source.mjs undici`.
import process from 'node:process'

const { EventSource } = await import(process.argv[2])
const { VENDOR_CLOUD_URL: url, VENDOR_CLOUD_TOKEN: token } = process.env
const reply = await fetch(`${url}/subscriptions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }),
})
const { registrationUrl } = await reply.json()
const source = new EventSource(registrationUrl)
source.addEventListener('DEVICE_EVENT', ({ data }) => console.log(JSON.parse(data).deviceEvent))
