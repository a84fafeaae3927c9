import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { asGuest, asWeb } from '../../helpers/build-test-app.ts'
import { answer, openConsole, useBrowser } from '../../helpers/console.ts'

const run = promisify(execFile)

describe('the requests of the console', () => {
  useBrowser()

  test('a request shows as it happens, and opens with its reply, its reason and its rule', async () => {
    const { page, url } = await openConsole('requests')
    await page.getByText('Nobody has asked for anything yet.').waitFor()
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=7660`, { headers: { 'request-source': 'vendor.com' } })

    await page.getByRole('link', { name: '/stg/us/guest/zipCode' }).click()
    const entry = page.getByRole('article', { name: 'Entry' })
    expect(await entry.getByRole('region', { name: 'Why it was refused' }).innerText()).toMatch(
      /zipCode must be [\s\S]*query\.zipCode rule: document 1/,
    )
    expect(await entry.getByRole('region', { name: 'Reply: body' }).innerText()).toContain('query.zipCode')
    await expect
      .poll(() => entry.getByRole('heading', { level: 3 }).allInnerTexts())
      .toEqual(['Why it was refused', 'Request', 'Reply', 'Send again'])
    await expect.poll(() => entry.locator('.hint').allInnerTexts()).toEqual(['No body.'])
  })

  test('a request that was copied as curl does the same again as it is pasted, its caller included', async () => {
    const { page, url, ask } = await openConsole('requests')
    await fetch(`${url}/stg/us/customerFeedback`, {
      method: 'POST',
      headers: { ...asWeb('web-alice'), 'content-type': 'application/json' },
      body: JSON.stringify({ rating: 5, comment: "it's quick & plain", nobody: null }),
    })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: '/stg/us/customerFeedback' }).click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    // What the button says of it is gone after two seconds.
    const read = () => page.evaluate<string>('navigator.clipboard.readText()')
    await expect.poll(read).toContain('curl')
    const command = await read()

    const { stdout } = await run('sh', ['-c', `${command} --silent`], { env: { PATH: process.env['PATH'] } })
    expect(JSON.parse(stdout)).toMatchObject({ received: true })
    const { entries } = await ask<{ entries: { request: unknown; caller: string }[] }>('journal')
    expect(entries.map(({ caller }) => caller)).toEqual(['web-alice', 'web-alice'])
    expect(entries[0]!.request).toMatchObject({ body: { rating: 5, comment: "it's quick & plain", nobody: null } })
  })

  test('from an opened request it is repeated, made to fail, and copied as a test, with its credentials', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByRole('link', { name: '/stg/us/guest/zipCode?zipCode=07660' }).click()
    await page.getByRole('button', { name: 'Repeat it' }).click()
    await page.getByText('Answered 200').waitFor()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    expect(await page.getByRole('region', { name: 'As Test' }).innerText()).toContain('expect(reply.status).toBe(200)')
    await page.getByRole('link', { name: 'Fail it' }).click()
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByText('operation 30, Look up a ZIP code').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Repeat it' }).click()
    await page.getByText('Answered 503').waitFor()

    await fetch(`${url}/subscriptions/none`, { headers: { authorization: 'Bearer nobody' } })
    await page.getByRole('link', { name: '/subscriptions/none' }).click()
    await page.getByRole('button', { name: 'curl', exact: true }).click()
    await page.getByRole('region', { name: 'As curl' }).getByText("-H 'authorization: Bearer nobody'").waitFor()
    await page.getByRole('button', { name: 'Repeat it' }).click()
    await page.getByText('Answered 401').waitFor()
  })

  test('the server looks through all entries, pages to the end, and an old one opens by its address', async () => {
    const { page, url } = await openConsole('requests')
    const ask = (path: string) => fetch(url + path, { headers: asGuest() })
    await ask('/stg/us/guest/zipCode?zipCode=1')
    for (let i = 0; i < 30; i++) {
      await Promise.all(Array.from({ length: 10 }, () => ask('/stg/us/guest/zipCode?zipCode=07660')))
    }
    await page.getByText('1 to 60 of 301').waitFor()
    for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('301 to 301 of 301').waitFor()
    await page.getByRole('button', { name: 'Refused' }).click()
    const entries = page.getByRole('list', { name: 'Journal' }).getByRole('listitem')
    await page.getByText('1 entry of all that are kept.').waitFor()
    await expect.poll(() => entries.allInnerTexts()).toEqual([expect.stringContaining('?zipCode=1')])

    await page.goto('about:blank')
    await page.goto(`${url}/_console#/requests/1`)
    await page.getByRole('article', { name: 'Entry' }).getByText('query.zipCode').first().waitFor()
    await page.goto(`${url}/_console#/overview`)
    await page.getByRole('link', { name: 'Requests a minute 301 1 refused' }).waitFor()
  })

  test('a search leaves what fits; a frame tells device and value; Clear asks, then empties the journal', async () => {
    const { page, url, ask } = await openConsole('devices')
    await page.getByRole('button', { name: 'Open test stream' }).click()
    await page.getByText('CONTROL_EVENT welcome').waitFor()
    await page.getByRole('article', { name: 'Living room light' }).getByRole('button', { name: 'off' }).click()
    await page.getByRole('list', { name: 'Received by the test stream' }).getByText('switch: on').waitFor()
    await fetch(`${url}/nowhere`)
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    const entries = page.getByRole('list', { name: 'Journal' }).getByRole('listitem')
    await entries.getByText('Living room light: switch: on').waitFor()
    await page.getByLabel('Search').fill('NOWHERE')
    await page.getByText('1 entry of all that are kept.').waitFor()
    await expect.poll(() => entries.allInnerTexts()).toEqual([expect.stringContaining('/nowhere')])
    await page.getByLabel('Search').fill('')
    await page.getByRole('button', { name: 'Requests', exact: true }).click()
    await entries.getByText('Living room light: switch: on').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Clear' }).click()
    await answer(page, 'Forget all requests and frames?', 'Keep')
    expect(await ask('journal')).not.toMatchObject({ totalCount: 0 })
    await page.getByRole('button', { name: 'Clear' }).click()
    await answer(page, 'Forget all requests and frames?', 'Clear')
    await page.getByText('No entry of the journal fits.').waitFor()
    expect(await ask('journal')).toMatchObject({ totalCount: 0 })
  })

  test('filter and search stand in the address: a reload, Back and a closed entry keep them', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=1`, { headers: asGuest() })
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=2`, { headers: asGuest() })
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByRole('button', { name: 'Refused' }).click()
    await page.getByLabel('Search').fill('zipCode=1&')
    await page.getByText('No entry of the journal fits.').waitFor()
    await page.getByRole('textbox', { name: 'Search' }).fill('zipCode=1')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('textbox', { name: 'Status' }).fill('400')
    const entries = page.getByRole('list', { name: 'Journal' }).getByRole('listitem')
    const isKept = async () => {
      await page.getByText('1 entry of all that are kept.').waitFor()
      await expect.poll(() => entries.allInnerTexts()).toEqual([expect.stringContaining('?zipCode=1')])
      expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('zipCode=1')
      expect(await page.getByRole('textbox', { name: 'Status' }).inputValue()).toBe('400')
      expect(await page.getByRole('button', { name: 'Refused' }).getAttribute('aria-pressed')).toBe('true')
      expect(await page.evaluate('location.hash')).toContain('refused=true&q=zipCode%3D1&status=400')
    }
    await isKept()
    await page.reload()
    await isKept()

    await page.getByRole('link', { name: '?zipCode=1' }).click()
    const entry = page.getByRole('article', { name: 'Entry' })
    await entry.getByRole('link', { name: 'Close' }).click()
    await entry.waitFor({ state: 'detached' })
    await isKept()
    await page.getByRole('link', { name: 'Mail' }).click()
    await page.getByRole('heading', { name: 'Mail' }).waitFor()
    await page.goBack()
    await isKept()
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await expect.poll(() => entries.count()).toBe(3)
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('')
  })

  test('a status that was not met is met once it was answered, and links to its requests', async () => {
    const { page, url } = await openConsole('coverage')
    const part = page.getByRole('group', { name: 'What is shown' })
    await part.getByRole('button', { name: 'SOAP codes' }).click()
    await page.getByLabel('Filter what was not met').waitFor()
    await part.getByRole('button', { name: 'Statuses' }).click()
    await page.getByLabel('Filter operations').fill('/guest/zipCode')
    const matrix = page.getByRole('table')
    await matrix.getByRole('rowheader', { name: /^30: .*GET \/stg\/us\/guest\/zipCode$/ }).waitFor()
    await matrix.getByRole('cell', { name: 'operation 30: 200 was not met' }).waitFor()
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: { 'request-source': 'vendor.com' } })
    await page.getByRole('button', { name: 'Look again' }).click()
    await matrix.getByRole('link', { name: 'operation 30: 200 was met' }).click()
    const entries = page.getByRole('list', { name: 'Journal' }).getByRole('listitem')
    await expect.poll(() => entries.count()).toBe(1)
    await page.goBack()
    await page.getByText(/^[\d.]+ % \d+ of \d+ were met/).waitFor()
  })

  test('an entry tells what its operation does not know, with what was probably meant', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipcode=07660`, { headers: { 'request-source': 'vendor.com' } })
    await page.getByRole('list', { name: 'Journal' }).getByRole('link').click()
    await page.getByText('query.zipcode (near: zipCode)').waitFor()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const code = page.getByRole('region', { name: 'As Test' })
    await code.getByText("import { test } from 'vendor-cloud/vitest'").waitFor()
    expect(await code.innerText()).toContain("fetch(world.url + '/stg/us/guest/zipCode?zipcode=07660'")
  })
})
