import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { asGuest } from '../../helpers/build-test-app.ts'
import { openConsole, useBrowser } from '../../helpers/console.ts'

const json = { 'content-type': 'application/json' }
const phone = { viewport: { width: 390, height: 844 } }

describe('the console in small windows', () => {
  useBrowser()

  /** Returns how many pixels of an element's content are cut off or must be scrolled. */
  const hiddenWidth = (element: Locator) =>
    element.evaluate((box) => {
      const { scrollWidth, clientWidth } = box as unknown as { scrollWidth: number; clientWidth: number }
      return scrollWidth - clientWidth
    })

  const pageOverflow = (page: Page) => hiddenWidth(page.locator('html'))

  test('on a phone, the test stream is above the devices, whose forms fit the width', async () => {
    const { page } = await openConsole('devices', phone)
    const forms = page.getByRole('article').getByRole('button', { name: 'Set a value…' })
    await forms.first().waitFor()
    const stream = (await page.getByRole('region', { name: 'Test stream' }).boundingBox())!
    const device = (await page.getByRole('article').first().boundingBox())!
    expect(stream.y + stream.height).toBeLessThan(device.y)
    for (const form of await forms.all()) await form.click()
    for (const card of await page.getByRole('article').all()) expect(await hiddenWidth(card)).toBe(0)
    expect(await pageOverflow(page)).toBe(0)
  })

  test('on a phone, all columns of the list of faults fit the width', async () => {
    const { page } = await openConsole('faults', phone)
    await page.getByRole('button', { name: 'Slow', exact: true }).click()
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByRole('cell', { name: 'status 503, at most 1 time' }).waitFor()
    expect(await hiddenWidth(page.getByRole('region', { name: 'Faults: rows' }))).toBe(0)
    const target = page.getByRole('rowheader', { name: 'operation 30, Look up a ZIP code' })
    expect((await target.boundingBox())!.height).toBeLessThan(35)
    for (const cell of await page.getByRole('table', { name: 'Faults' }).locator('td, th').all()) {
      expect(await hiddenWidth(cell), await cell.innerText()).toBe(0)
    }
    expect(await pageOverflow(page)).toBe(0)
  })

  test('on a phone, the list of customers shows each name next to the number', async () => {
    const { page, ask } = await openConsole('data/customers', phone)
    const { items } = await ask<{ items: { bpNo: string; firstName: string; lastName: string }[] }>('records/customers')
    const { bpNo, firstName, lastName } = items[0]!
    const row = page.getByRole('row', { name: bpNo })
    await row.getByRole('cell', { name: `${firstName} ${lastName}`, exact: true }).waitFor()
    expect(await hiddenWidth(page.getByRole('region', { name: 'Records: rows' }))).toBe(0)
  })

  test('on a phone, the check marks of the coverage are not cut off', async () => {
    const { page, url } = await openConsole('overview', phone)
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.goto(`${url}/_console#/coverage`)
    const cell = page.getByRole('cell').filter({ hasText: '✓' }).first()
    await cell.waitFor()
    expect(await hiddenWidth(cell)).toBe(0)
  })

  test('on a phone, the menu opens the command palette', async () => {
    const { page } = await openConsole('overview', phone)
    await page.getByRole('button', { name: 'Menu: Overview' }).click()
    const menu = (await page.getByRole('navigation').boundingBox())!
    const entry = page.getByRole('button', { name: 'Go to…' })
    expect((await entry.boundingBox())!.width).toBeGreaterThan(menu.width - 40)
    expect(await entry.innerText()).toBe('Go to…')
    await entry.click()
    await page.getByRole('dialog', { name: 'Go to' }).getByRole('option', { name: 'Wallet View' }).click()
    await page.getByRole('heading', { name: 'Wallet' }).waitFor()
  })

  test.each([390, 800, 1001, 1280])(
    'in a window %i px wide, the copy button is next to its language',
    async (width) => {
      const { page, url } = await openConsole('requests', { viewport: { width, height: 844 } })
      await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
      await page.getByRole('link', { name: 'Look up a ZIP code' }).click()
      const language = page.getByRole('combobox', { name: 'Language' })
      for (const name of ['curl', 'Vitest']) {
        await language.selectOption(name)
        const [select, button] = [language, page.getByRole('button', { name: `Copy as ${name}` })]
        expect((await select.boundingBox())!.y).toBe((await button.boundingBox())!.y)
      }
      expect(await pageOverflow(page)).toBe(0)
    },
  )

  test('the buttons of the list of tokens are not cut off', async () => {
    const { page } = await openConsole('tokens')
    const cell = page.getByRole('cell').filter({ hasText: 'Revoke token' }).first()
    await cell.waitFor()
    expect(await hiddenWidth(cell)).toBe(0)
  })

  test('the overview shows the complete reason of a rejected request', async () => {
    const { page, url } = await openConsole('overview')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=1`, { headers: asGuest() })
    const newest = page.getByRole('region', { name: 'Newest requests' }).getByRole('row').nth(1)
    await newest.getByText('query.zipCode must be a 5-digit US zip code').waitFor()
    for (const cell of await newest.locator('th, td').all()) expect(await hiddenWidth(cell)).toBe(0)
    expect(await hiddenWidth(newest.getByRole('link'))).toBe(0)
  })

  test('on a phone, the labels of the timeline do not overlap', async () => {
    const { page, url } = await openConsole('requests', phone)
    for (const duration of ['P31D', 'PT2M', 'PT9S', 'P1D']) {
      await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
      await fetch(`${url}/_control/clock/advance`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ duration }),
      })
    }
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    const labels = page.getByRole('img', { name: 'Timeline of 5 requests' }).locator('text')
    await expect.poll(() => labels.allTextContents()).toEqual(['1 month later', '1 day later'])
  })

  test('the column for the time of a journal entry is wide enough for the date', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/_control/clock`, {
      method: 'PUT',
      headers: json,
      body: JSON.stringify({ now: '2026-12-23T20:58:58.888Z' }),
    })
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    const time = page.getByRole('cell', { name: /23 Dec 2026$/ })
    for (const view of ['requests', 'overview']) {
      await page.goto(`${url}/_console#/${view}`)
      expect(await hiddenWidth(time), view).toBe(0)
    }
  })

  test.each([390, 1280])('in a window %i px wide, a long list of active changes moves no other part', async (width) => {
    const { page } = await openConsole('faults', { viewport: { width, height: 844 } })
    const header = page.getByRole('banner')
    await header.getByRole('button', { name: 'Pause clock' }).click()
    await header.getByText('clock paused').waitFor()
    const before = (await header.boundingBox())!.height
    await page.getByRole('button', { name: 'Slow', exact: true }).click()
    await page.getByRole('button', { name: 'Flaky', exact: true }).click()
    await header.getByText(/^clock paused, \d faults/).waitFor()
    expect((await header.locator('.brand').boundingBox())!.height).toBeLessThan(30)
    if (width === 1280) expect((await header.boundingBox())!.height).toBe(before)
    const badge = (await header.locator('.changed').boundingBox())!
    const time = (await header.locator('time').boundingBox())!
    expect(badge.x + badge.width <= time.x || badge.y + badge.height <= time.y).toBe(true)
    expect(await pageOverflow(page)).toBe(0)
  })

  test('in a low window, the field for the theme fits the width of the navigation', async () => {
    const { page } = await openConsole('overview', { viewport: { width: 1280, height: 500 } })
    const navigation = page.getByRole('navigation')
    const theme = (await page.getByRole('combobox', { name: 'Theme' }).boundingBox())!
    const column = (await navigation.boundingBox())!
    expect(await hiddenWidth(navigation)).toBe(0)
    expect(theme.x + theme.width).toBeLessThanOrEqual(column.x + column.width)
    // The field is wide enough for its text and its arrow.
    expect(theme.width).toBeGreaterThan(110)
  })
})
