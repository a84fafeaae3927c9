import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { asGuest } from '../../helpers/build-test-app.ts'
import { clockAt, openConsole, useBrowser } from '../../helpers/console.ts'

describe('the console with the keyboard only', () => {
  useBrowser()

  /** Returns the name of the focused element, as a screen reader announces it. */
  const focused = (page: Page) =>
    page.evaluate<string>('(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent)')

  const focusedRow = (page: Page) => page.evaluate<string>('document.activeElement.closest("tr")?.textContent ?? ""')

  /**
   * The feed may display the effect of an action before its response arrives. Until then, the button is disabled and
   * ignores another press.
   */
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true, disabled: false }).first()

  async function press(page: Page, name: string): Promise<void> {
    await button(page, name).focus()
    await page.keyboard.press('Enter')
  }

  test('Tab first focuses the link to the content, and a pressed button keeps the focus', async () => {
    const { page, ask } = await openConsole('devices')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN')
    await press(page, '+1 h')
    await clockAt(page, '2026-05-06T17:0').waitFor()
    await button(page, '+1 h').waitFor()
    await page.keyboard.press('Enter')
    await clockAt(page, '2026-05-06T18:0').waitFor()
    expect(await focused(page)).toBe('+1 h')
    await press(page, 'Pause clock')
    await page.getByRole('button', { name: 'Resume clock', exact: true }).waitFor()
    expect(await focused(page)).toBe('Resume clock')
    const light = page.getByRole('article', { name: 'Living room light' })
    await light.getByRole('button', { name: 'off' }).focus()
    await page.keyboard.press('Enter')
    await light.getByRole('button', { name: 'on', exact: true }).waitFor()
    expect(await focused(page)).toBe('on')
    expect(await ask('clock')).toMatchObject({ frozen: true })
  })

  test('the confirmation of a deletion focuses the safe answer, which Escape also selects', async () => {
    const { page, url, ask } = await openConsole('snapshot')
    await fetch(`${url}/_control/records/sellers/000000000042`, { method: 'DELETE' })
    await press(page, 'Reset world')
    await page.getByRole('group', { name: /^Delete all changes/ }).waitFor()
    expect(await focused(page)).toBe('Keep')
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('Reset world')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: /^Delete all changes/ }).waitFor({ state: 'detached' })
    expect(await ask('records/sellers')).toMatchObject({ totalCount: 1 })
    expect(await focused(page)).toBe('Reset world')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText(/^Reset .* to its initial state$/).waitFor()
    expect(await ask('records/sellers')).toMatchObject({ totalCount: 2 })
  })

  test('Escape closes the part that was opened last and returns the focus', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByRole('link', { name: 'Look up a ZIP code' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('article', { name: 'Entry' }).waitFor()
    // The entry gets the focus only after it has been loaded.
    await expect.poll(() => focused(page)).toBe('Look up a ZIP code')
    await press(page, 'Date…')
    await page.getByLabel('New time, UTC').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('New time, UTC').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Date…')
    await page.getByRole('article', { name: 'Entry' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('article', { name: 'Entry' }).waitFor({ state: 'detached' })

    const date = page.getByLabel('New time, UTC')
    await press(page, 'Date…')
    await date.waitFor()
    await page.getByRole('heading', { name: 'Requests' }).click()
    await date.waitFor({ state: 'detached' })
    await press(page, 'Date…')
    await date.waitFor()
    await page.evaluate("location.hash = '#/faults'")
    await date.waitFor({ state: 'detached' })
  })

  test('keys in the Requests view move between rows and open and close an entry', async () => {
    const { page, url } = await openConsole('requests')
    const rowOf = (code: number) => page.locator('tr', { hasText: `?zipCode=${code}` })
    for (const code of [1, 2, 3]) {
      await fetch(`${url}/stg/us/guest/zipCode?zipCode=${code}`, { headers: asGuest() })
      await rowOf(code).waitFor()
    }
    const keys = async (...names: string[]) => {
      for (const name of names) await page.keyboard.press(name)
      return focusedRow(page)
    }
    expect(await keys('j')).toContain('zipCode=3')
    expect(await keys('j', 'ArrowDown')).toContain('zipCode=1')
    expect(await keys('ArrowUp', 'ArrowUp')).toContain('zipCode=3')
    expect(await keys('j', 'k', 'j')).toContain('zipCode=2')
    const entry = page.getByRole('article', { name: 'Entry' })
    const heading = 'Look up a ZIP code'
    await keys('Enter')
    await expect.poll(() => focused(page)).toBe(heading)
    expect(await entry.innerText()).toContain('GET /stg/us/guest/zipCode?zipCode=2')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H2')
    await keys('Escape')
    await entry.waitFor({ state: 'detached' })
    expect(await focusedRow(page)).toContain('/stg/us/guest/zipCode?zipCode=2')
    await keys('Enter')
    await expect.poll(() => focused(page)).toBe(heading)
    expect(await keys('k')).toContain('zipCode=3')
    // While an entry is open, the panel follows the focus.
    await entry.getByText('/stg/us/guest/zipCode?zipCode=3', { exact: true }).waitFor()
    expect(await keys('j')).toContain('zipCode=2')
    await entry.getByText('/stg/us/guest/zipCode?zipCode=2', { exact: true }).waitFor()
    await keys('Enter')
    expect(await focused(page)).toBe(heading)

    const search = page.getByRole('textbox', { name: 'Search' })
    await keys('/', 'j', '?')
    expect(await search.inputValue()).toBe('j?')
    await keys('Escape')
    await entry.waitFor({ state: 'detached' })
    await keys('Escape')
    expect(await search.inputValue()).toBe('')
    await rowOf(3).waitFor()
    expect(await keys('Escape')).toContain('zipCode=3')
    await keys('Enter')
    await entry.waitFor()
    await rowOf(3).getByRole('link').focus()
    const help = page.getByRole('region', { name: 'Keys' })
    await keys('?')
    await help.getByText('moves the focus to the search field').waitFor()
    await keys('?')
    await help.waitFor({ state: 'detached' })
    await entry.waitFor()
  })

  test('a button opens the menu of views on a phone', async () => {
    const { page, url } = await openConsole('data', { viewport: { width: 390, height: 844 } })
    const navigation = page.getByRole('navigation')
    const menu = navigation.getByRole('button', { name: 'Menu: Data' })
    await menu.click()
    for (const group of ['What happened', 'Change something', 'World', 'Test', 'Help'])
      await navigation.getByRole('list', { name: group }).waitFor()
    for (const link of await navigation.getByRole('link').all()) {
      const box = (await link.boundingBox())!
      expect(box.x + box.width).toBeLessThanOrEqual(390)
      expect(box.y + box.height).toBeLessThanOrEqual(844)
    }
    await navigation.getByRole('link', { name: 'Data', exact: true }).click()
    await navigation.getByRole('list', { name: 'World' }).waitFor({ state: 'hidden' })
    await menu.waitFor()
    for (let i = 0; i < 30; i++) await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.goto(`${url}/_console#/requests`)
    await page.getByRole('button', { name: 'Filter and verify' }).waitFor()
    const link = page.getByRole('table', { name: 'Journal' }).getByRole('link').nth(25)
    await link.focus()
    await page.keyboard.press('Enter')
    const heading = page.getByRole('article', { name: 'Entry' }).getByRole('heading').first()
    await heading.waitFor()
    const header = (await page.getByRole('banner').boundingBox())!
    // The heading is scrolled into view after the first paint.
    await expect.poll(async () => (await heading.boundingBox())!.y).toBeGreaterThanOrEqual(header.y + header.height)
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await page.keyboard.press('Escape')
    await link.waitFor()
    expect(await focused(page)).toBe('GET Look up a ZIP code')
  })
})
