import { describe, expect, test } from 'vitest'
import { asBearer, LIGHT, THERMOSTAT } from '../../helpers/documents/events.ts'
import { openConsole, useBrowser } from '../../helpers/console.ts'
import { openStream, valueIn } from '../../helpers/documents/stream-reader.ts'

describe('devices and streams in the console', () => {
  useBrowser()

  async function openStreamed() {
    const opened = await openConsole('devices')
    const reply = await fetch(`${opened.url}/subscriptions`, {
      method: 'POST',
      headers: asBearer('token-home'),
      body: JSON.stringify({ name: 'mine', subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }),
    })
    const { registrationUrl } = (await reply.json()) as { registrationUrl: string }
    const reader = await openStream(registrationUrl)
    await reader.next()
    return { ...opened, reader }
  }

  test('a click on a value toggles it and sends the event to open streams', async () => {
    const { page, ask, reader } = await openStreamed()
    const light = page.getByRole('article', { name: 'Living room light' })
    // The first card is the living room light.
    const readColor = () => page.evaluate<string>("getComputedStyle(document.querySelector('.toggle')).color")
    const off = await readColor()
    await light.getByRole('button', { name: 'off', exact: true }).click()
    expect(valueIn((await reader.next())!)).toBe('on')
    await page.mouse.move(0, 0)
    await expect.poll(readColor).not.toBe(off)
    await page.getByRole('region', { name: 'Device events' }).getByText('switch: on').waitFor()
    await page.getByRole('article', { name: 'Living room light' }).getByRole('button', { name: 'on' }).waitFor()
    expect(await ask(`records/devices/${LIGHT}`)).toMatchObject({
      components: { main: { switch: { switch: { value: 'on' } } } },
    })
  })

  test('any device attribute can be set, and a number is sent as a number', async () => {
    const { page, ask, reader } = await openStreamed()
    const card = page.getByRole('article', { name: 'Thermostat' })
    await card.getByRole('button', { name: 'Set a value…' }).click()
    await card.getByLabel('Attribute').selectOption('temperatureMeasurement.temperature')
    await card.getByLabel('Value, text or JSON').fill('19.5')
    await card.getByRole('button', { name: 'Set value', exact: true }).click()
    expect(valueIn((await reader.next())!)).toBe(19.5)
    await card.getByText('19.5 C').waitFor()
    await card.getByRole('button', { name: 'offline' }).click()
    await card.getByText('offline').first().waitFor()
    await expect.poll(() => ask(`records/devices/${THERMOSTAT}`)).toMatchObject({ status: 'OFFLINE' })
  })

  test('the view of streams shows an open stream, and a button drops its connection', async () => {
    const { page, url, reader } = await openStreamed()
    await page.goto(`${url}/_console#/streams`)
    const stream = page.getByRole('article', { name: 'Stream mine' })
    await stream.getByText('up to date').waitFor()
    await stream.getByRole('button', { name: 'Drop connection' }).click()
    expect(await reader.ended).toBe('cut')
    await page.getByText('No stream is open.').waitFor()
  })

  test('the test stream stays open while the user visits other views', async () => {
    const { page } = await openConsole('streams')
    const received = page.getByRole('list', { name: 'Received by the test stream' })
    await page.getByRole('button', { name: 'Open test stream' }).click()
    await received.getByText('welcome').waitFor()
    await page.getByRole('link', { name: 'Click a value of a device' }).click()
    await page.getByRole('article', { name: 'Living room light' }).getByRole('button', { name: 'off' }).click()
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goBack()
    await received.getByText('switch: on').waitFor()
    await received.getByText('welcome').waitFor()
    await page.getByRole('button', { name: 'Close test stream' }).click()
    await page.getByRole('button', { name: 'Open test stream' }).waitFor()
  })

  test('each device card shows the ID of the device and a button that copies it', async () => {
    const { page, ask } = await openConsole('devices')
    const { items } = await ask<{ items: { deviceId: string; name: string }[] }>('records/devices?limit=1')
    const card = page.getByRole('article', { name: items[0]!.name, exact: true })
    await card.getByText(items[0]!.deviceId, { exact: true }).waitFor()
    await card.getByTitle(`Copy the ID of ${items[0]!.name}`).click()
    await card.getByRole('button', { name: /^(Copied|Select and copy the text)$/ }).waitFor()
  })

  test('the list shows fixture tokens by name and expired tokens as expired', async () => {
    const { page } = await openConsole('tokens')
    const tokens = page.getByRole('table', { name: 'Tokens' })
    await tokens.getByText('token-home', { exact: true }).waitFor()
    await page.getByLabel('Expires in, minutes').fill('0')
    await page.getByRole('button', { name: 'Issue token' }).click()
    await page.getByRole('alert').getByText('Expires in must be').waitFor()
    await page.getByLabel('Expires in, minutes').fill('60')
    await page.getByRole('button', { name: 'Issue token' }).click()
    await page.getByRole('button', { name: '+1 day' }).click()
    await tokens.getByText(/^expired 2026-05-06 17:/).waitFor()
  })
})
