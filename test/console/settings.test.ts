import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { asGuest } from '../helpers/build-test-app.ts'
import { browserTests, openConsole, useBrowser } from '../helpers/console.ts'

describe('faults, worlds and data of the console (needs /usr/bin/chromium)', browserTests, () => {
  useBrowser()

  test('a fault that is added strikes, is counted, and is gone when it is removed', async () => {
    const { page, url } = await openConsole('faults')
    const lookUp = () => fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByText('Nothing fails on purpose.').waitFor()
    await page.getByRole('button', { name: 'Add the fault' }).click()
    await page.getByText('struck 0 times').waitFor()
    expect((await lookUp()).status).toBe(503)
    await page.getByText('struck 1 time', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('group', { name: 'Remove it?' }).getByRole('button', { name: 'Yes' }).click()
    await page.getByText('Nothing fails on purpose.').waitFor()
    expect((await lookUp()).status).toBe(200)
  })

  test('a fault that the server refuses says why', async () => {
    const { page } = await openConsole('faults')
    await page.getByRole('spinbutton', { name: 'Status' }).fill('200')
    await page.getByRole('button', { name: 'Add the fault' }).click()
    expect(await page.getByRole('alert').innerText()).toBe('Status must be at least 400')
  })

  test('operations are offered by their names, and every form of answer and delay is taken', async () => {
    const { page, ask } = await openConsole('faults')
    await page.getByRole('combobox', { name: /^Which/ }).selectOption({ label: '30: Look up a zip code' })
    const forms = [
      ['status', { status: 503 }],
      ['reset', { reset: true }],
      ['timeout', { timeout: true }],
      ['cut', { cut: 100 }],
      ['drip', { drip: 100 }],
      ['garbage', { garbage: true }],
    ] as const
    for (const [form] of forms) {
      await page.getByRole('combobox', { name: /^Get/ }).selectOption(form)
      await page.getByRole('button', { name: 'Add the fault' }).click()
      await page.getByRole('list', { name: 'Faults' }).getByText(form).first().waitFor()
    }
    await page.getByRole('combobox', { name: /^Get/ }).selectOption('none')
    await page.getByRole('combobox', { name: /^When/ }).selectOption('after')
    await page.getByRole('combobox', { name: /^Delay/ }).selectOption('percentiles')
    await page.getByRole('button', { name: 'Add the fault' }).click()
    await page.getByText('does the work first').waitFor()
    const { items } = await ask<{ items: { respond?: unknown; delayMs?: unknown }[] }>('faults')
    expect(items.slice(0, forms.length).map(({ respond }) => respond)).toEqual(forms.map(([, respond]) => respond))
    expect(items.at(-1)).toMatchObject({ when: 'after', delayMs: { p50: 100, p99: 1000 } })

    await page.getByRole('button', { name: 'Slow' }).click()
    await page.getByText('slow: *').waitFor()
  })

  test('a world is made, shown with a clock of its own, and left for another', async () => {
    const { page, url, ask } = await openConsole('worlds')
    await page.getByLabel('Name').fill('spring')
    await page.getByLabel('Seed').fill('one')
    await page.getByLabel('Starts at, UTC').fill('2025-03-01T08:00')
    await page.getByRole('button', { name: 'Make it and go there' }).click()
    await page.waitForURL(`${url}/w/spring/_console**`)
    await page.getByText('Sat 1 Mar 2025').first().waitFor()
    expect(await ask('worlds/spring')).toMatchObject({ name: 'spring', seed: 'one' })

    await page.getByRole('button', { name: '+1 h' }).click()
    await page.getByText('09:00:00').first().waitFor()
    expect(await ask('clock')).toMatchObject({ now: '2026-05-06T16:00:00.000Z' })
    await page.getByLabel('World', { exact: true }).selectOption('default')
    await page.waitForURL(`${url}/_console**`)
    await page.getByText('Wed 6 May 2026').first().waitFor()
  })

  test('a world is forked from another, with a clock that stands', async () => {
    const { page, url, ask } = await openConsole('worlds')
    await fetch(`${url}/_control/records/sellers/000000000042`, { method: 'DELETE' })
    await page.getByLabel('Name').fill('fork')
    await page.getByLabel('Begins as').selectOption('default')
    await page.getByLabel('Its clock').selectOption('yes')
    await page.getByRole('button', { name: 'Make it and go there' }).click()
    await page.waitForURL(`${url}/w/fork/_console**`)
    await page.getByText('frozen', { exact: true }).first().waitFor()
    expect(await ask('worlds/fork')).toMatchObject({ from: 'default' })
    const reply = await fetch(`${url}/w/fork/_control/records/sellers`)
    expect(await reply.json()).toMatchObject({ totalCount: 1 })
  })

  test('a world that is deleted under the page is said to be gone', async () => {
    const { page, url, worlds } = await openConsole('worlds')
    await worlds.create({ name: 'short' })
    await page.goto(`${url}/w/short/_console#/faults`)
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    await worlds.delete('short')
    await page.getByRole('heading', { name: 'There is no world short' }).waitFor()
    await page.getByRole('link', { name: 'default' }).click()
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
  })

  test('a snapshot comes as a file and is restored from one; a reset starts anew', async () => {
    const { page, url, ask } = await openConsole('worlds')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download a snapshot' }).click(),
    ])
    const file = await download.path()
    expect(readFileSync(file, 'utf8')).toBe(await (await fetch(`${url}/_control/snapshot`)).text())

    await fetch(`${url}/_control/records/sellers/000000000042`, { method: 'DELETE' })
    await page.getByLabel('Restore a snapshot…').setInputFiles(file)
    await page.getByText('Restored.').waitFor()
    expect(await ask('records/sellers')).toMatchObject({ totalCount: 2 })

    await fetch(`${url}/_control/records/sellers/000000000042`, { method: 'DELETE' })
    await page.getByRole('button', { name: 'Reset this world' }).click()
    expect(await ask('records/sellers')).toMatchObject({ totalCount: 1 })
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.getByText('This world is as it was at its start.').waitFor()
    expect(await ask('records/sellers')).toMatchObject({ totalCount: 2 })
  })

  test("a record is found, refused with the server's findings, and saved", async () => {
    const { page, ask } = await openConsole('data/sellers')
    await page.getByLabel('Search').fill('harbour')
    await page.getByRole('link', { name: /000000000042/ }).click()
    const text = page.getByRole('textbox', { name: 'JSON' })
    await expect.poll(() => text.inputValue()).toContain('Harbour Fitness')
    await text.fill('{ "secret": "000000000042", "name": 7 }')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await page.getByRole('alert').innerText()).toMatch(/^Name /)
    await text.fill('{ "secret": "000000000042", "name": "Harbour" }')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    expect(await ask('records/sellers/000000000042')).toEqual({ secret: '000000000042', name: 'Harbour' })
  })

  test('a record is made and deleted', async () => {
    const { page, ask } = await openConsole('data/sellers:')
    await page.getByRole('textbox', { name: 'JSON' }).fill('{ "secret": "777", "name": "New" }')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: '777' }).waitFor()
    expect(await ask('records/sellers/777')).toEqual({ secret: '777', name: 'New' })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect.poll(() => ask('records/sellers')).toMatchObject({ totalCount: 2 })
  })
})
