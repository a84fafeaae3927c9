import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openConsole, useBrowser, waitUntilLive } from '../../helpers/console.ts'

describe('navigation of the console', () => {
  useBrowser()

  const groups = [
    ['What happened', ['Requests', 'Streams', 'Mail']],
    ['Change something', ['Clock', 'Faults', 'Devices', 'Billing', 'Tickets', 'Tokens', 'Wallet']],
    ['World', ['Data', 'Snapshot', 'Choices', 'Scenarios', 'Worlds']],
    ['Test', ['Coverage', 'Examination', 'Cases']],
    ['Help', ['API docs']],
  ] as const

  test.each(groups)('the group "%s" of the navigation lists %j', async (group, titles) => {
    const { page } = await openConsole('overview')
    const links = page.getByRole('navigation').getByRole('list', { name: group }).getByRole('link')
    expect(await links.allInnerTexts()).toEqual(titles)
  })

  const goTo = async (page: Page, text: string, hit: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill(text)
    await page.getByRole('dialog').getByRole('option', { name: hit, selected: true }).waitFor()
    await page.keyboard.press('Enter')
  }

  test('Ctrl-K can open views, operations, records and worlds', async () => {
    const { page, server, worlds, ask } = await openConsole('overview')
    await worlds.create({ name: 'palette-target', seed: 'test' })
    const { items } = await ask<{ items: { srid: string; customer: { firstName: string; lastName: string } }[] }>(
      'records/tickets?limit=1',
    )
    const { srid, customer } = items[0]!
    await goTo(page, 'faul', /^Faults View$/)
    await page.getByRole('heading', { name: 'Faults' }).waitFor()
    await goTo(page, 'zip code requests', /^30: .*Requests of operation$/)
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    expect(await page.evaluate('location.hash')).toBe('#/requests?operation=30')
    await goTo(page, 'zip code fault', /^30: .*Add a fault$/)
    expect(await page.evaluate('location.hash')).toBe('#/faults/30')
    const name = `${customer.firstName} ${customer.lastName}`
    await goTo(
      page,
      `${customer.lastName} ${srid}`,
      new RegExp(`^${name} ${srid} (open|in process|completed|cancelled)`),
    )
    await page.getByRole('article', { name: 'Service request' }).getByText(srid).first().waitFor()
    await goTo(page, 'palette-target', /^palette-target World$/)
    await page.waitForURL(`${server}/w/palette-target/_console**`)
  })

  test.each([
    ['ASC001', /ASC001 .*Service center$/, 'serviceCenters:ASC001'],
    ['profile:web-alice', /profile:web-alice .*Profile$/, 'profiles:profile:web-alice'],
    ['web-alice', /profile:web-alice .*Profile$/, 'profiles:profile:web-alice'],
    ['C100-101', /C100-101 Store$/, 'stores:C100-101'],
    ['C100', /C100 Company$/, 'companies:C100'],
    ['partner-1001', /partner-1001 Partner$/, 'partners:partner-1001'],
    ['aaaaaaaa-0000-4000-8000-000000000001', /000000000001 Device$/, 'devices:aaaaaaaa-0000-4000-8000-000000000001'],
    ['000000000042', /000000000042 Seller$/, 'sellers:000000000042'],
  ] as const)('a search for %s with Ctrl-K finds the record and opens it', async (text, hit, id) => {
    const { page } = await openConsole('overview')
    await goTo(page, text, hit)
    await page.getByRole('article', { name: 'Record' }).waitFor()
    expect(decodeURIComponent(await page.evaluate<string>('location.hash'))).toBe(`#/data/${id}`)
  })

  test('Ctrl-K finds a phone number that is written with parentheses, spaces and hyphens', async () => {
    const { page, ask } = await openConsole('overview')
    const { items } = await ask<{ items: { srid: string; customer: { phoneNumber: string } }[] }>(
      'records/tickets?limit=1',
    )
    const { srid, customer } = items[0]!
    const written = customer.phoneNumber.replace(/(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
    expect(written).toContain(') ')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill(written)
    await page.getByRole('dialog').getByRole('option', { name: srid }).waitFor()
  })

  test('Ctrl-K finds fixture tokens by name and issued tokens by the token itself', async () => {
    const { page, url, ask } = await openConsole('overview')
    const { try: names } = await ask<{ try: { tokens: string[] } }>('status')
    await goTo(page, names.tokens[0]!, new RegExp(`${names.tokens[0]} Token$`))
    const issued = await fetch(`${url}/_control/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'dana', scopes: [], locations: [], expiresIn: 3600 }),
    })
    const { accessToken } = (await issued.json()) as { accessToken: string }
    await goTo(page, accessToken, /^dana .* Token$/)
    await page.getByRole('article', { name: 'Record' }).getByRole('heading').waitFor()
  })

  test('Ctrl-K lists only records that show the searched text', async () => {
    const { page } = await openConsole('overview')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('zip')
    await page.getByText('Reading records…').waitFor({ state: 'detached' })
    const hits = await page.getByRole('dialog').getByRole('option').allInnerTexts()
    expect(hits.filter((hit) => !/zip/i.test(hit))).toEqual([])
  })

  test.each([
    ['reset', /^Snapshot: reset, restore View$/, '#/snapshot'],
    ['+31', /^Clock: .* View$/, '#/clock'],
  ] as const)('Ctrl-K finds the action %s', async (text, hit, hash) => {
    const { page } = await openConsole('overview')
    await goTo(page, text, hit)
    await expect.poll(() => page.evaluate('location.hash')).toBe(hash)
  })

  test('Ctrl-K lists the operation with the number first', async () => {
    const { page } = await openConsole('overview')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('op 30')
    await page.getByText('Reading records…').waitFor({ state: 'detached' })
    const first = page.getByRole('dialog').getByRole('option').first()
    expect(await first.innerText()).toMatch(/^30: Look up a ZIP code/)
  })

  test('arrow keys select a result in the palette, and Escape closes it', async () => {
    const { page } = await openConsole('overview')
    const field = page.getByRole('combobox', { name: 'Go to' })
    await page.getByRole('button', { name: /^Go to/ }).click()
    await field.fill('w')
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('dialog').getByRole('option', { selected: true }).getAttribute('id')).toBe('hit-1')
    expect(await field.getAttribute('aria-activedescendant')).toBe('hit-1')
    await field.fill('nothing has this name')
    await page.getByText('Nothing matches "nothing has this name".').waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.className')).toBe('go-to')
  })

  test('a selected theme overrides the theme of the system, even after a reload', async () => {
    const { page } = await openConsole('overview', { colorScheme: 'light' })
    const theme = page.getByRole('combobox', { name: 'Theme' })
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const light = await background()
    await theme.selectOption('Dark theme')
    const dark = await background()
    expect(dark).not.toBe(light)
    await page.reload()
    await waitUntilLive(page)
    expect(await theme.inputValue()).toBe('dark')
    expect(await background()).toBe(dark)
    await theme.selectOption('System theme')
    expect(await background()).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await background()).toBe(dark)
  })
})
