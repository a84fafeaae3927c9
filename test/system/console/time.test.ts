import { describe, expect, test } from 'vitest'
import { LIGHT } from '../../helpers/documents/events.ts'
import { answer, clockAt, openConsole, useBrowser } from '../../helpers/console.ts'

describe('clock and billing in the console', () => {
  useBrowser()

  test('the clock in the header can be advanced, set to a date and paused', async () => {
    const { page, ask } = await openConsole('faults')
    const bar = page.getByRole('group', { name: "The world's clock" })
    await clockAt(page, '2026-05-06T16:0').waitFor()
    for (const [button, now] of [
      ['+1 h', '2026-05-06T17:00:00.000Z'],
      ['+1 day', '2026-05-07T17:00:00.000Z'],
      ['+31 days', '2026-06-07T17:00:00.000Z'],
    ] as const) {
      await bar.getByRole('button', { name: button }).click()
      await clockAt(page, now.slice(0, '2026-05-06T17:0'.length)).waitFor()
      expect(await ask('clock')).toMatchObject({ now, frozen: false })
    }

    await bar.getByRole('button', { name: 'Date…' }).click()
    await page.getByLabel('New time, UTC').fill('2027-01-02T03:04')
    await page.getByRole('button', { name: 'Set clock', exact: true }).click()
    await bar.getByText('Sat 2 Jan 2027').waitFor()
    await bar.getByRole('button', { name: 'Date…' }).click()
    await page.getByLabel('New time, UTC').fill('2027-01-01T03:04')
    await page.getByRole('button', { name: 'Set clock', exact: true }).click()
    await page
      .getByRole('status', { name: 'Last action' })
      .getByText('Clock set back to Fri 1 Jan 2027, 03:04')
      .waitFor()
    await bar.getByRole('button', { name: 'Pause clock', exact: true }).click()
    await bar.getByRole('button', { name: 'Resume clock', exact: true }).waitFor()
    expect(await ask('clock')).toMatchObject({ now: '2027-01-01T03:04:00.000Z', frozen: true })
  })

  test('an invalid duration is rejected, and a clock move by another client is shown immediately', async () => {
    const { page, url } = await openConsole('clock')
    await page.getByLabel('Duration, such as P90D').fill('tomorrow')
    await page.getByRole('button', { name: 'Go forward' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('ISO 8601')
    expect(await page.getByRole('alert').innerText()).not.toContain('milliseconds')
    await page.getByText('purchase-test-mode renews').waitFor()
    await page.getByRole('button', { name: '+1 min' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await fetch(`${url}/_control/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ duration: 'P1Y' }),
    })
    await page.getByRole('group', { name: "The world's clock" }).getByText('Thu 6 May 2027').waitFor()
  })

  test('the field for a new time shows the current time after a move of the clock', async () => {
    const { page } = await openConsole('clock')
    const field = page.getByLabel('New time, UTC')
    await field.fill('2027-01-02T03:04')
    await page.getByRole('button', { name: 'Set clock', exact: true }).click()
    await clockAt(page, '2027-01-02T03:0').waitFor()
    await page.getByRole('button', { name: '+1 day', exact: true }).first().click()
    await expect.poll(() => field.inputValue()).toMatch(/^2027-01-03T03:0/)
  })

  test('the list of upcoming events says which appointments it does not cover', async () => {
    const { page, worlds, world } = await openConsole('clock')
    const coming = page.getByRole('region', { name: 'Coming up' })
    await coming.getByText('renews').first().waitFor()
    expect(await coming.getByText('covers only the first').count()).toBe(0)
    const { store } = worlds.find(world)!
    const before = await store.bookings.count()
    const [startsAt, endsAt] = ['2026-05-08T13:00:00.000Z', '2026-05-08T14:00:00.000Z']
    const rest = { srid: '1234567890', ascCode: 'ASC001', slotId: 'none', date: '2026-05-08', startsAt, endsAt }
    await store.transaction(async (tx) => {
      for (let i = 0; i < 1001; i++) await tx.bookings.put({ ...rest, appointmentId: `A${i}`, holder: `user-${i}` })
    })
    await page.reload()
    await coming.getByText(`This list covers only the first 1000 of ${before + 1001} appointments.`).waitFor()
  })

  test('tokens of a user that expire together are shown as one row', async () => {
    const { page, url } = await openConsole('clock')
    for (let i = 0; i < 2; i++) {
      const body = JSON.stringify({ user: 'dana', scopes: [], locations: [], expiresIn: 60 })
      const headers = { 'content-type': 'application/json' }
      await fetch(`${url}/_control/tokens`, { method: 'POST', headers, body })
    }
    await page.getByRole('link', { name: '2 tokens of dana expire' }).waitFor()
    expect(await page.getByRole('link', { name: /of dana/ }).count()).toBe(1)
    await page.getByRole('banner').getByRole('button', { name: '+1 h' }).click()
    await page.getByRole('status', { name: 'Last action' }).getByText('2 tokens expired').waitFor()
  })

  test('a token that ends a stream is shown as one row', async () => {
    const { page } = await openConsole('streams')
    await page.getByRole('button', { name: 'Open test stream' }).click()
    await page.getByText('CONTROL_EVENT  welcome').waitFor()
    await page.getByRole('button', { name: '+1 day' }).click()
    const line = page.getByRole('status', { name: 'Last action' })
    await line.getByText(/ 1 token expired/).waitFor()
    expect(await line.innerText()).not.toContain('scheduled task')
    await page.goto(page.url().replace('streams', 'clock'))
    const passed = page.getByRole('table', { name: 'What was due' })
    await passed.getByRole('link').first().waitFor()
    expect(await passed.getByText(/token/).allInnerTexts()).toEqual(['A token of console expires'])
  })

  test('the overview counts only visits that have not passed', async () => {
    const { page } = await openConsole('overview')
    const tile = page.getByRole('link', { name: 'Open tickets' })
    await tile.getByText(/[1-9]\d* visits ahead/).waitFor()
    await page.getByRole('button', { name: '+31 days' }).click()
    await tile.getByText(/\b0 visits ahead/).waitFor()
  })

  test('a message after a clock move counts what was due and links to a list', async () => {
    const { page, url } = await openConsole('clock')
    const steps = [{ afterMs: 60_000, deviceId: LIGHT, status: 'OFFLINE' }]
    await fetch(`${url}/_control/scenarios`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ steps }),
    })
    const line = page.getByRole('status', { name: 'Last action' })
    await page.goto(`${url}/_console#/faults`)
    await page.getByRole('button', { name: '+1 h' }).click()
    await line.getByText(/^1 hour later: .*1 scenario step/).waitFor()
    await page.getByRole('button', { name: '+31 days' }).click()
    await line.getByText(/^31 days later: .*\d+ renewals?, .*\d+ visits? passed/).waitFor()
    await page.getByRole('link', { name: 'Show' }).click()
    const passed = page.getByRole('table', { name: 'What was due' })
    await page.getByRole('textbox', { name: 'Search' }).fill('purchase-active')
    await passed.getByRole('link', { name: 'purchase-active renews' }).click()
    await page.getByRole('article', { name: 'Purchase' }).waitFor()
    await expect.poll(() => line.innerText()).toBe('')
    await page.getByRole('button', { name: '+1 h' }).click()
    await line.getByText(/^1 hour later/).waitFor()
    await page.getByRole('button', { name: 'Close the message' }).click()
    await expect.poll(() => line.innerText()).toBe('')
  })

  test('the message after a clock move counts every payment and the purchases that ended', async () => {
    const { page, ask, url } = await openConsole('clock')
    type Purchases = { items: { payments: number; purchaseID: string }[] }
    const paid = async () =>
      (await ask<Purchases>('purchases?limit=100')).items.reduce((sum, { payments }) => sum + payments, 0)
    const headers = { 'content-type': 'application/json' }
    await fetch(`${url}/_control/purchases/purchase-active/cancel`, { method: 'POST', headers, body: '{"reason":"1"}' })
    const line = page.getByRole('status', { name: 'Last action' })
    const start = await paid()
    await page.getByRole('button', { name: '+1 h' }).first().click()
    await line.getByText(/^1 hour later: 6 renewals/).waitFor()
    expect((await paid()) - start).toBe(6)
    await page.getByRole('button', { name: '+31 days' }).first().click()
    await line.getByText(/^31 days later/).waitFor()
    const later = (await paid()) - start - 6
    expect(await line.innerText()).toMatch(new RegExp(`^31 days later: ${later} renewals, 3 purchases ended`))
    await page.getByRole('textbox', { name: 'Search' }).fill('purchase-')
    const passed = page.getByRole('table', { name: 'What was due' })
    expect(await passed.getByRole('link', { name: / ends$/ }).allInnerTexts()).toEqual([
      'purchase-test-mode ends',
      'purchase-cancelled ends',
      'purchase-active ends',
    ])
  })

  test.each([1280, 390])(
    'in a window %i px wide, the action message moves no other part and disappears',
    async (width) => {
      const { page } = await openConsole('faults', { viewport: { width, height: 844 } })
      const line = page.getByRole('status', { name: 'Last action' })
      await page.clock.install()
      await page.getByRole('button', { name: 'Slow', exact: true }).click()
      await line.getByText(/^Added Slow/).waitFor()
      // The header grows when it shows the new fault.
      await page.getByRole('link', { name: '1 fault' }).waitFor()
      const title = page.getByRole('heading', { name: 'Faults' })
      const box = (await page.locator('.action-line').boundingBox())!
      const before = await title.boundingBox()
      if (width > 1000) expect(box.y + box.height).toBeLessThan(before!.y)
      else expect(box.y + box.height).toBeGreaterThan(830)
      expect(box.x + box.width).toBeLessThanOrEqual(width)
      await page.getByRole('button', { name: 'Close the message' }).click()
      await expect.poll(() => line.innerText()).toBe('')
      expect(await title.boundingBox()).toEqual(before)
      await page.getByRole('button', { name: 'Slow', exact: true }).click()
      await line.getByText(/^Added Slow/).waitFor()
      await page.clock.runFor(9000)
      await line.getByText(/^Added Slow/).waitFor()
      await page.clock.runFor(2000)
      await expect.poll(() => line.innerText()).toBe('')
      await page.getByRole('button', { name: 'Slow', exact: true }).click()
      await line.getByText(/^Added Slow/).waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => line.innerText()).toBe('')
    },
  )

  test('a purchase renews when the clock advances, and can be cancelled with a reason', async () => {
    const { page, ask } = await openConsole('billing')
    await page.getByRole('link', { name: 'purchase-active' }).click()
    const purchase = page.getByRole('article', { name: 'Purchase' })
    await purchase.getByRole('img', { name: /^2 payments .*the clock is at 2026-05-06 16:0/ }).waitFor()
    await page.getByRole('button', { name: '+31 days' }).click()
    await purchase.getByRole('img', { name: /^3 payments .*the clock is at 2026-06-06 16:0/ }).waitFor()

    await purchase.getByLabel('Reason').selectOption('3')
    await purchase.getByRole('button', { name: 'Cancel purchase' }).click()
    await answer(page, /^Cancel this purchase\?/, 'Cancel purchase')
    await purchase.getByText('billing error').waitFor()
    expect(await ask('records/purchases/purchase-active')).toMatchObject({ cancellation: { reason: '3' } })
  })

  test('a test purchase ends after its last renewal and can no longer be cancelled', async () => {
    const { page } = await openConsole('billing/purchase-test-mode')
    const purchase = page.getByRole('article', { name: 'Purchase' })
    await purchase.getByText('ACTIVE', { exact: true }).waitFor()
    await page.getByRole('button', { name: '+1 day' }).click()
    await purchase.getByRole('img', { name: /^13 payments .*no more payments/ }).waitFor()
    await purchase.getByText('by the system').waitFor()
    expect(await purchase.getByRole('button', { name: 'Cancel purchase' }).count()).toBe(0)
  })

  test('a subscription sold in the console becomes a purchase', async () => {
    const { page, ask } = await openConsole('billing')
    await page.getByRole('button', { name: 'Sell a subscription…' }).click()
    expect(await page.getByLabel('Seller').locator('option:checked').innerText()).not.toBe('')
    await page.getByLabel('Item').fill('gold')
    await page.getByLabel('Period').fill('P1W')
    await page.getByRole('button', { name: 'Sell subscription', exact: true }).click()
    await page.getByRole('article', { name: 'Purchase' }).getByText('each week').waitFor()
    const { items } = await ask<{ items: { itemID: string }[] }>('records/purchases?limit=100')
    expect(items).toContainEqual(expect.objectContaining({ itemID: 'gold', period: 'P1W', price: 4.99 }))
  })

  test('lists of requests and device events show the date between entries of different days', async () => {
    const { page, url, ask } = await openConsole('requests')
    const json = { 'content-type': 'application/json' }
    const call = async () => {
      await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: { 'request-source': 'vendor.com' } })
      const { items } = await ask<{ items: { deviceId: string }[] }>('records/devices?limit=1')
      const body = JSON.stringify({ status: 'OFFLINE' })
      await fetch(`${url}/_control/devices/${items[0]?.deviceId}/health`, { method: 'POST', headers: json, body })
    }
    await call()
    await page.getByRole('button', { name: '+31 days' }).click()
    await clockAt(page, '2026-06-06').waitFor()
    await call()
    const days = page.getByRole('main').locator('.day')
    await expect.poll(() => days.allInnerTexts()).toEqual(['6 Jun 2026', '6 May 2026'])
    await page.getByRole('link', { name: 'Devices', exact: true }).click()
    const events = page.getByRole('region', { name: 'Device events' }).locator('.day')
    await expect.poll(() => events.allInnerTexts()).toEqual(['Sat 6 Jun 2026', 'Wed 6 May 2026'])
  })

  test('the list of purchases shows which have ended and when the next payment is due', async () => {
    const { page } = await openConsole('billing')
    const row = (name: string) => page.getByRole('table', { name: 'Purchases' }).getByRole('row', { name })
    await row('purchase-test-mode')
      .getByText(/^next payment \d{4}-\d\d-\d\d \d\d:\d\d$/)
      .waitFor()
    await row('purchase-active')
      .getByText(/^next payment \d{4}-\d\d-\d\d$/)
      .waitFor()
    await row('purchase-active')
      .getByText(/^\d+\.\d\d USD$/)
      .waitFor()
    await page.getByRole('button', { name: '+1 day' }).click()
    await row('purchase-test-mode')
      .getByText(/^ended /)
      .first()
      .waitFor()
  })
})
