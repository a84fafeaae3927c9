import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { asGuest } from '../../helpers/build-test-app.ts'
import { answer, clockAt, openConsole, useBrowser, waitUntilLive } from '../../helpers/console.ts'

describe('faults, worlds and data in the console', () => {
  useBrowser()

  test('an added fault applies until it is removed, and an invalid fault is rejected', async () => {
    const { page, url } = await openConsole('faults')
    const lookUp = () => fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByText('There are no faults.').waitFor()
    await page.getByRole('combobox', { name: 'How often' }).selectOption('every time')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByRole('status', { name: 'Last action' }).getByText('Added the fault').waitFor()
    await page.getByText('0 hits').waitFor()
    expect((await lookUp()).status).toBe(503)
    await page.getByText('1 hit', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove fault', exact: true }).click()
    await answer(page, 'Remove this fault?', 'Remove fault')
    await page.getByText('There are no faults.').waitFor()
    expect((await lookUp()).status).toBe(200)

    await page.getByRole('combobox', { name: 'Response' }).selectOption('another status')
    const status = page.getByRole('spinbutton', { name: 'Status' })
    await status.fill('199')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await expect.poll(() => status.getAttribute('aria-invalid')).toBe('true')
    expect(await status.evaluate((input) => input.matches(':focus'))).toBe(true)
    expect(await page.getByRole('alert').innerText()).toMatch(
      /^Status must be at least 200\s+InvalidParameter body\.respond\.status rule: our choice: field-forms$/,
    )
  })

  test('a fault is marked as used up when its hits reach its limit', async () => {
    const { page, url } = await openConsole('faults')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByText('0 hits').waitFor()
    expect(await page.getByText('used up').count()).toBe(0)
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByRole('cell', { name: 'used up status 503, at most 1 time' }).waitFor()
  })

  test('a fault for a selected operation can have every kind of response and delay', async () => {
    const { page, ask } = await openConsole('faults')
    await page.getByRole('combobox', { name: 'Operation' }).selectOption({ label: '30: Look up a ZIP code' })
    const forms = [
      ['503', 'status 503', { status: 503 }],
      ['reset', 'a connection reset', { reset: true }],
      ['timeout', 'no response', { timeout: true }],
      ['cut', 'a truncated response 100', { cut: 100 }],
      ['throttle', 'a slow response 100', { throttle: 100 }],
      ['garbage', 'garbage', { garbage: true }],
    ] as const
    for (const [form, words] of forms) {
      await page.getByRole('combobox', { name: 'Response' }).selectOption(form)
      await page.getByRole('button', { name: 'Add fault' }).click()
      await page.getByRole('table', { name: 'Faults' }).getByText(words).waitFor()
    }
    await page.getByRole('combobox', { name: 'Response' }).selectOption('none')
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('combobox', { name: /^When/ }).selectOption('after')
    await page.getByRole('combobox', { name: /^Delay/ }).selectOption('percentiles')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByText('performs the operation first').waitFor()
    const { items } = await ask<{ items: { respond?: unknown; delayMs?: unknown }[] }>('faults')
    expect(items.slice(0, forms.length).map(({ respond }) => respond)).toEqual(forms.map(([, , respond]) => respond))
    expect(items.at(-1)).toMatchObject({ when: 'after', delayMs: { p50: 100, p99: 1000 } })

    await page.getByRole('button', { name: 'Slow', exact: true }).click()
    await page.getByText('slow: *').waitFor()
  })

  test('the preview of a custom response matches the response that a client receives', async () => {
    const { page, url, ask } = await openConsole('faults')
    await page.getByRole('combobox', { name: 'Operation' }).selectOption({ label: '30: Look up a ZIP code' })
    await page.getByRole('combobox', { name: 'Response' }).selectOption('given')
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('spinbutton', { name: 'Status' }).fill('200')
    await page.getByLabel('Headers, one per line').fill('content-type: text/html\nset-cookie: a=1\nset-cookie: b=2')
    await page.getByLabel(/^Body, sent unchanged/).fill('<h1>Sign in, José</h1>')
    await page.getByLabel('Name').fill('login')
    const preview = await page.getByRole('region', { name: 'What a client receives' }).innerText()
    await page.getByLabel('Until').fill('2000-01-01T00:00:00Z')
    await page.getByRole('button', { name: 'Add fault' }).click()
    const list = page.getByRole('table', { name: 'Faults' })
    await list.getByText('until 2000-01-01T00:00:00Z').waitFor()
    const lookUp = () => fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    expect((await lookUp()).headers.get('x-vendor-cloud-fault')).toBeNull()
    await page.getByLabel('Until').fill('')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await expect.poll(async () => (await ask<{ totalCount: number }>('faults')).totalCount).toBe(2)
    const reply = await lookUp()
    const body = await reply.text()
    const lines = preview.split('\n')
    expect([lines[0], lines.at(-1)]).toEqual([`HTTP/1.1 ${reply.status}`, body])
    for (const line of lines.slice(1, lines.indexOf(''))) {
      const [, name, value] = /^([^:]+): (.*)$/.exec(line)!
      expect(reply.headers.get(name!), name).toContain(value)
    }
    await page.getByRole('group', { name: 'Presets' }).getByTitle('HTML page (status 502, 503 or 504)').waitFor()
  })

  test('a world that is created without a name gets a generated name', async () => {
    const { page, server } = await openConsole('worlds')
    await page.getByRole('button', { name: 'Create world and open it' }).click()
    await page.waitForURL(new RegExp(`^${server}/w/(?!test-)[a-z0-9-]+/_console`))
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  test('a created world has its own clock, and the user can switch to another world', async () => {
    const { page, server, url, world, ask } = await openConsole('worlds')
    await page.getByLabel('Name').fill('spring')
    await page.getByLabel('Seed').fill('one')
    await page.getByLabel('Starts at, UTC').fill('2025-03-01T08:00')
    await page.getByRole('button', { name: 'Create world and open it' }).click()
    await page.waitForURL(`${server}/w/spring/_console**`)
    await page.getByText('Sat 1 Mar 2025').first().waitFor()
    expect(await ask('worlds/spring')).toMatchObject({ name: 'spring', seed: 'one' })

    await page.getByRole('button', { name: '+1 h' }).click()
    await clockAt(page, '2025-03-01T09:0').waitFor()
    expect(await ask('clock')).toMatchObject({ now: '2026-05-06T16:00:00.000Z' })
    await page.getByRole('combobox', { name: 'World' }).selectOption(world)
    await page.waitForURL(`${url}/_console**`)
    await page.getByText('Wed 6 May 2026').first().waitFor()
  })

  test('a world can be created as a fork of another world with a paused clock', async () => {
    const { page, server, url, world, ask } = await openConsole('worlds')
    await fetch(`${url}/_control/records/sellers/000000000042`, { method: 'DELETE' })
    await page.getByLabel('Name').fill('fork')
    await page.getByLabel('Starts from').selectOption(world)
    await page.getByRole('main').getByRole('combobox', { name: 'Clock' }).selectOption('yes')
    await page.getByRole('button', { name: 'Create world and open it' }).click()
    await page.waitForURL(`${server}/w/fork/_console**`)
    await page.getByRole('button', { name: 'Resume clock' }).waitFor()
    expect(await ask('worlds/fork')).toMatchObject({ from: world })
    const reply = await fetch(`${server}/w/fork/_control/records/sellers`)
    expect(await reply.json()).toMatchObject({ totalCount: 1 })
  })

  test('an open page shows that its world was deleted', async () => {
    const { page, world, worlds } = await openConsole('faults')
    await worlds.delete(world)
    await page.getByRole('heading', { name: `There is no world ${world}` }).waitFor()
    await page.getByText('This page no longer requests it.').waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    // Waits longer than two polls take. During this wait, the header loads its lists once more.
    await page.waitForTimeout(4000)
    expect(asked.filter((url) => /\/_control\/(feed|clock|journal|streams)/.test(url))).toEqual([])
    await page.getByRole('link', { name: 'default' }).click()
    await waitUntilLive(page)
  })

  test('a snapshot can be downloaded and restored, and a reset restores the initial state', async () => {
    const { page, url, ask } = await openConsole('snapshot')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download snapshot' }).click(),
    ])
    const file = await download.path()
    expect(readFileSync(file, 'utf8')).toBe(await (await fetch(`${url}/_control/snapshot`)).text())

    await fetch(`${url}/_control/records/sellers/000000000042`, { method: 'DELETE' })
    await page.getByLabel('Restore snapshot…').setInputFiles(file)
    expect(await ask('records/sellers')).toMatchObject({ totalCount: 1 })
    await answer(page, /^Replace everything in /, 'Restore snapshot')
    await page.getByText(/^Restored .*ndjson|^Restored /).waitFor()
    expect(await ask('records/sellers')).toMatchObject({ totalCount: 2 })

    await fetch(`${url}/_control/records/sellers/000000000042`, { method: 'DELETE' })
    await page.getByRole('button', { name: 'Reset world' }).click()
    expect(await ask('records/sellers')).toMatchObject({ totalCount: 1 })
    await answer(page, /^Delete all changes/, 'Reset world')
    await page.getByText(/^Reset .* to its initial state$/).waitFor()
    expect(await page.getByRole('link', { name: 'Show' }).count()).toBe(0)
    expect(await ask('records/sellers')).toMatchObject({ totalCount: 2 })
  })

  test('a record can be found and saved, and the server rejects invalid values', async () => {
    const { page, ask } = await openConsole('data/sellers')
    await page.getByLabel('Search').fill('harbour')
    await page.getByRole('link', { name: /000000000042/ }).click()
    const text = page.getByRole('textbox', { name: 'JSON' })
    await expect.poll(() => text.inputValue()).toContain('Harbour Fitness')
    await text.fill('{ "secret": "000000000042", "name": 7 }')
    await page.getByRole('button', { name: 'Save record' }).click()
    expect(await page.getByRole('alert').innerText()).toMatch(/^name /)
    await text.fill('{ "secret": "000000000042", "name": "Harbour" }')
    await page.getByRole('button', { name: 'Save record' }).click()
    await page.getByText('Saved 000000000042 in sellers', { exact: true }).waitFor()
    expect(await ask('records/sellers/000000000042')).toEqual({ secret: '000000000042', name: 'Harbour' })
  })

  test('a record can be created and deleted, and a new record cannot replace it', async () => {
    const { page, ask } = await openConsole('data/sellers:')
    await page.getByRole('textbox', { name: 'JSON' }).fill('{ "secret": "777", "name": "New" }')
    await page.getByRole('button', { name: 'Save record' }).click()
    await page.getByRole('heading', { name: '777' }).waitFor()
    expect(await ask('records/sellers/777')).toEqual({ secret: '777', name: 'New' })
    await page.evaluate("location.hash = '#/data/sellers:'")
    await page.getByRole('heading', { name: 'New record of sellers' }).waitFor()
    await page.getByRole('textbox', { name: 'JSON' }).fill('{ "secret": "777", "name": "Newer" }')
    await page.getByRole('button', { name: 'Save record' }).click()
    await page.getByRole('alert').getByText('Record 777 already exists').waitFor()
    await page.evaluate("location.hash = '#/data/sellers:777'")
    await page.getByRole('heading', { name: '777' }).waitFor()
    await page.getByRole('button', { name: 'Delete record' }).click()
    await answer(page, 'Delete this record?', 'Delete record')
    await expect.poll(() => ask('records/sellers')).toMatchObject({ totalCount: 2 })
  })
})
