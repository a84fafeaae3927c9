import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { renderPages } from '../../../scripts/build/pages.mjs'
import { rules } from '../../../src/contract/rules.ts'
import { toRuleAnchor } from '../../../src/tools/console/text.ts'
import { asGuest, asWeb } from '../../helpers/build-test-app.ts'
import { answer, openConsole, useBrowser } from '../../helpers/console.ts'

const run = promisify(execFile)

describe('requests in the console', () => {
  useBrowser()

  test('a request appears immediately and opens with its response and the reason for its rejection', async () => {
    const { page, url } = await openConsole('requests')
    await page.getByText('This world has not received any requests.').waitFor()
    expect(await page.getByRole('img', { name: /^Timeline/ }).count()).toBe(0)
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=7660`, { headers: { 'request-source': 'vendor.com' } })

    await page.getByRole('link', { name: 'Look up a ZIP code' }).click()
    const entry = page.getByRole('article', { name: 'Entry' })
    expect(await entry.getByRole('region', { name: 'Why it was rejected' }).innerText()).toMatch(
      /zipCode must be [\s\S]*query\.zipCode rule: document 1/,
    )
    expect(await entry.getByRole('region', { name: 'Response: body' }).innerText()).toContain('query.zipCode')
    await expect
      .poll(() => entry.getByRole('heading', { level: 3 }).allInnerTexts())
      .toEqual(['Why it was rejected', 'Response body', 'Response headers'])
    await entry.getByRole('button', { name: 'Request', exact: true }).click()
    await entry.getByText('No body.').waitFor()
  })

  test('a request copied as curl runs in a shell with the same caller and body', async () => {
    const { page, url, ask } = await openConsole('requests')
    await fetch(`${url}/stg/us/customerFeedback`, {
      method: 'POST',
      headers: { ...asWeb('web-alice'), 'content-type': 'application/json' },
      body: JSON.stringify({ rating: 5, comment: "it's quick & plain", nobody: null }),
    })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: 'Save feedback' }).click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    // The message of the button disappears after two seconds, so only the clipboard is checked.
    const read = () => page.evaluate<string>('navigator.clipboard.readText()')
    await expect.poll(read).toContain('curl')
    const command = await read()

    const { stdout } = await run('sh', ['-c', `${command} --silent`], { env: { PATH: process.env['PATH'] } })
    expect(JSON.parse(stdout)).toMatchObject({ received: true })
    const { entries } = await ask<{ entries: { request: unknown; caller: string }[] }>('journal')
    expect(entries.map(({ caller }) => caller)).toEqual(['web-alice', 'web-alice'])
    expect(entries[0]!.request).toMatchObject({ body: { rating: 5, comment: "it's quick & plain", nobody: null } })
  })

  test('an opened request can be repeated, made to fail and copied as a test', async () => {
    const { page, url, ask } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByRole('link', { name: 'Look up a ZIP code' }).click()
    await page.getByRole('button', { name: 'Repeat', exact: true }).click()
    await page.getByText('Response: 200').waitFor()
    await page.getByRole('button', { name: 'Code' }).click()
    await page.getByLabel('Language').selectOption('Vitest')
    expect(await page.getByRole('region', { name: 'As Vitest' }).innerText()).toContain(
      'expect(response.status).toBe(200)',
    )
    await page.getByRole('link', { name: 'Make it fail' }).click()
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByText('operation 30, Look up a ZIP code').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Repeat', exact: true }).click()
    await page.getByText('Response: 503').waitFor()
    await page
      .getByRole('link', { name: /injected fault F/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'POST /_control/faults' }).click()
    await page.getByRole('heading', { name: 'Faults' }).waitFor()
    const [{ faultId }] = (await ask<{ items: [{ faultId: string }] }>('faults')).items
    await page.getByRole('cell', { name: faultId, exact: true }).waitFor()
    await page.goBack()

    await fetch(`${url}/subscriptions/none`, { headers: { authorization: 'Bearer nobody' } })
    await page
      .getByRole('table', { name: 'Journal' })
      .getByRole('link', { name: /subscription/ })
      .click()
    await page.getByRole('button', { name: 'Code' }).click()
    const curl = page.getByRole('region', { name: 'As curl' })
    await curl.getByText(`-H 'authorization: Bearer '"$TOKEN_1"`).waitFor()
    expect(await curl.innerText()).toContain(': "${TOKEN_1:?set it first}"')
    expect(await curl.innerText()).not.toContain('nobody')
    await page.getByRole('link', { name: 'Faults', exact: true }).click()
    const operation = page.getByRole('combobox', { name: 'Operation' })
    await expect.poll(() => operation.locator('option:checked').innerText()).toContain('subscription')
    await page.goBack()
    await page.getByRole('button', { name: 'Repeat', exact: true }).click()
    await page.getByText('Response: 401').waitFor()
  })

  test('a long journal can be filtered and scrolled to its oldest entry', async () => {
    const { page, url } = await openConsole('requests')
    const ask = (path: string) => fetch(url + path, { headers: asGuest() })
    await ask('/stg/us/guest/zipCode?zipCode=1')
    for (let i = 0; i < 30; i++) {
      await Promise.all(Array.from({ length: 10 }, () => ask('/stg/us/guest/zipCode?zipCode=07660')))
    }
    await page.getByText('of 301 entries, scroll for more').or(page.getByText('301 entries')).first().waitFor()
    const rows = page.getByRole('region', { name: 'Journal: rows' })
    const oldest = page
      .getByRole('row', { name: '/stg/us/guest/zipCode?zipCode=1', exact: false })
      .getByText('?zipCode=1')
    await expect
      .poll(async () => {
        await rows.evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
        return oldest.count()
      })
      .toBe(1)
    await page.getByRole('button', { name: 'Rejected' }).click()
    const entries = page.getByRole('table', { name: 'Journal' }).locator('tbody tr')
    await page.getByText('1 entry', { exact: true }).waitFor()
    await expect.poll(() => entries.allInnerTexts()).toEqual([expect.stringContaining('?zipCode=1')])

    await page.goto('about:blank')
    await page.goto(`${url}/_console#/requests/1`)
    await page.getByRole('article', { name: 'Entry' }).getByText('query.zipCode').first().waitFor()
    await page.goto(`${url}/_console#/overview`)
    await page.getByRole('link', { name: 'Requests a minute 301 1 rejected' }).waitFor()
  })

  test('a search shows only matching entries, and Clear requires confirmation', async () => {
    const { page, url, ask } = await openConsole('devices')
    await page.getByRole('button', { name: 'Open test stream' }).click()
    await page.getByText('CONTROL_EVENT welcome').waitFor()
    await page.getByRole('article', { name: 'Living room light' }).getByRole('button', { name: 'off' }).click()
    await page.getByRole('list', { name: 'Received by the test stream' }).getByText('switch: on').waitFor()
    await fetch(`${url}/nowhere`)
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    const entries = page.getByRole('table', { name: 'Journal' }).locator('tbody tr')
    await entries.getByText('Living room light: switch: on').waitFor()
    await page.getByLabel('Search').fill('NOWHERE')
    await page.getByText('1 entry', { exact: true }).waitFor()
    await expect.poll(() => entries.allInnerTexts()).toEqual([expect.stringContaining('/nowhere')])
    await page.getByLabel('Search').fill('')
    await page.getByRole('button', { name: 'Requests', exact: true }).click()
    await entries.getByText('Living room light: switch: on').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Clear' }).click()
    await answer(page, 'Delete all requests and frames?', 'Keep')
    expect(await ask('journal')).not.toMatchObject({ totalCount: 0 })
    await page.getByRole('button', { name: 'Clear' }).click()
    await answer(page, 'Delete all requests and frames?', 'Clear')
    await page.getByText('No journal entry matches.').waitFor()
    expect(await ask('journal')).toMatchObject({ totalCount: 0 })
  })

  test('reload, Back and closing an entry preserve the filter and search in the address', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=1`, { headers: asGuest() })
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=2`, { headers: asGuest() })
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByRole('button', { name: 'Rejected' }).click()
    await page.getByLabel('Search').fill('zipCode=1&')
    await page.getByText('No journal entry matches.').waitFor()
    await page.getByRole('textbox', { name: 'Search' }).fill('zipCode=1')
    await page.getByRole('button', { name: 'Filter and verify' }).click()
    await page.getByRole('textbox', { name: 'Status' }).fill('400')
    const entries = page.getByRole('table', { name: 'Journal' }).locator('tbody tr')
    const isKept = async () => {
      await page.getByText('1 entry', { exact: true }).waitFor()
      await expect.poll(() => entries.allInnerTexts()).toEqual([expect.stringContaining('?zipCode=1')])
      expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('zipCode=1')
      expect(await page.getByRole('textbox', { name: 'Status' }).inputValue()).toBe('400')
      expect(await page.getByRole('button', { name: 'Rejected' }).getAttribute('aria-pressed')).toBe('true')
      expect(await page.evaluate('location.hash')).toContain('refused=true&q=zipCode%3D1&status=400')
    }
    await isKept()
    await page.reload()
    await isKept()

    await page.getByRole('row', { name: '?zipCode=1' }).getByRole('link').click()
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

  test('an uncovered status becomes covered after it is returned, and links to its requests', async () => {
    const { page, url } = await openConsole('coverage')
    const part = page.getByRole('group', { name: 'What is shown' })
    await part.getByRole('button', { name: 'SOAP codes' }).click()
    await page.getByRole('table', { name: 'Not covered' }).waitFor()
    await page.getByRole('textbox', { name: 'Search' }).fill('no such code')
    await page.getByText('No entry matches.').waitFor()
    await part.getByRole('button', { name: 'Statuses' }).click()
    await page.getByRole('textbox', { name: 'Search' }).fill('/guest/zipCode')
    const matrix = page.getByRole('table')
    await matrix.getByRole('rowheader', { name: /^30: .* \(GET \/stg\/us\/guest\/zipCode\)$/ }).waitFor()
    await matrix.getByRole('cell', { name: 'operation 30: 200 was not covered' }).waitFor()
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: { 'request-source': 'vendor.com' } })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await matrix.getByRole('link', { name: 'operation 30: 200 was covered' }).click()
    const entries = page.getByRole('table', { name: 'Journal' }).locator('tbody tr')
    await expect.poll(() => entries.count()).toBe(1)
    await page.goBack()
    await page.getByText(/^[\d.]+ % \d+ of \d+ were covered/).waitFor()
  })

  test('a request is compared line by line with the previous request to the same operation', async () => {
    const { page, url } = await openConsole('requests')
    for (const code of ['07660', '07665', '1']) {
      // The order of headers does not count as a difference.
      const headers = Object.entries({ ...asGuest(), 'x-a': '1', 'x-b': '2' })
      const ordered = Object.fromEntries(code === '07665' ? headers.toReversed() : headers)
      await fetch(`${url}/stg/us/guest/zipCode?zipCode=${code}`, { headers: ordered })
    }
    await page.getByRole('row', { name: 'zip code 07665 is not in use' }).getByRole('link').click()
    await page.getByRole('link', { name: 'Compare', exact: true }).click()
    const request = page.getByRole('region', { name: 'Request: lines' })
    await expect.poll(() => request.locator('del').allInnerTexts()).toEqual(['-   ?zipCode=07660'])
    expect(await request.locator('ins').allInnerTexts()).toEqual(['+   ?zipCode=07665'])
    const response = page.getByRole('region', { name: 'Response: lines' })
    expect(await response.locator('del').allInnerTexts()).toContain('- Status 200')
    await page.getByRole('link', { name: 'must be a 5-digit US zip code' }).click()
    await expect.poll(() => request.locator('ins').allInnerTexts()).toEqual(['+   ?zipCode=1'])
    await page
      .getByLabel(/^Compare #2 with/)
      .selectOption({ label: '#1, 16:00:00.000, 200, /stg/us/guest/zipCode?zipCode=07660' })
    await expect.poll(() => request.locator('del').allInnerTexts()).toEqual(['-   ?zipCode=07660'])
  })

  test('a request whose body was not read says that its copies have no body', async () => {
    const { page, url } = await openConsole('requests')
    const headers = { authorization: 'Bearer wrong', 'content-type': 'application/json' }
    await fetch(`${url}/subscriptions`, { method: 'POST', headers, body: '{"name":"a"}' })
    await page.getByRole('link', { name: 'Create a subscription' }).click()
    await page.getByText('Repeat and Copy send no body.').waitFor()
    await page.getByRole('button', { name: 'Code', exact: true }).click()
    await page.getByText('# The journal does not contain the body of this request.').waitFor()
  })

  test('Verify shows the number of matching requests or how the closest request differs', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07665`, { headers: asGuest() })
    await page.getByRole('link', { name: 'Look up a ZIP code' }).click()
    await page.getByRole('link', { name: 'Verify' }).click()
    const verify = page.getByRole('button', { name: 'Verify', exact: true })
    await verify.click()
    await page.getByText('as expected 1 request matches').waitFor()
    await page.getByRole('textbox', { name: 'Status' }).fill('200')
    await verify.click()
    await page.getByText('not as expected 0 requests match').waitFor()
    await page.getByText('status: expected 200, got ').waitFor()
    await page.getByRole('textbox', { name: 'Status' }).fill('9xx')
    await verify.click()
    await page
      .getByRole('alert')
      .getByText(/^Status must be/)
      .waitFor()
  })

  test('the rule of a rejected request links to its section of the documentation', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=1`, { headers: asGuest() })
    await page.getByRole('link', { name: 'Look up a ZIP code' }).click()
    const rule = page.getByRole('region', { name: 'Why it was rejected' }).getByRole('link')
    expect(await rule.innerText()).toBe('document 1, operation 30')
    await rule.click()
    await page.waitForURL(`${url}/docs/rules#document-1-operation-30`)
  })

  test('the documentation has a section for each rule that the console links to', () => {
    const page = renderPages(join(import.meta.dirname, '../../..')).get('rules.html')!
    const anchors = new Set(Array.from(page.matchAll(/<h\d id="([^"]+)"/g), ([, anchor]) => anchor))
    const missing = Object.keys(rules).filter((id) => !anchors.has(toRuleAnchor(id)))
    expect(missing).toEqual([])
  })

  test('a paused list shows how many new requests it does not display', async () => {
    const { page, url } = await openConsole('requests')
    const lookUp = () => fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    const rows = page.getByRole('table', { name: 'Journal' }).getByRole('link')
    await lookUp()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Pause list', exact: true }).click()
    await lookUp()
    await page.getByRole('button', { name: 'Continue list (1 more)', exact: true }).waitFor()
    expect(await rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Continue list (1 more)', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(2)
  })

  test('an entry can be copied as code in each language with its address and body', async () => {
    const { page, url } = await openConsole('requests')
    const body = JSON.stringify({ rating: 5, comment: "it's" })
    const headers = { ...asWeb('web-alice'), 'content-type': 'application/json' }
    await fetch(`${url}/stg/us/customerFeedback`, { method: 'POST', headers, body })
    await page.getByRole('link', { name: 'Save feedback' }).click()
    await page.getByRole('button', { name: 'Code' }).click()
    const expected = {
      fetch: [`fetch('${url}/stg/us/customerFeedback'`, "method: 'POST'", "it\\'s"],
      Python: ['"POST"', `"${url}/stg/us/customerFeedback"`, 'it\'s\\"}".encode()'],
      Java: [`URI.create("${url}/stg/us/customerFeedback")`, '.method("POST"', "it's"],
      Go: [`http.NewRequest("POST", "${url}/stg/us/customerFeedback", strings.NewReader(`, "it's"],
      PHP: [`curl_init('${url}/stg/us/customerFeedback')`, "CURLOPT_CUSTOMREQUEST => 'POST'", "it\\'s"],
    }
    for (const [language, texts] of Object.entries(expected)) {
      await page.getByLabel('Language').selectOption(language)
      const code = await page.getByRole('region', { name: `As ${language}` }).innerText()
      for (const text of [...texts, 'content-type']) expect(code, language).toContain(text)
      await page.getByRole('button', { name: `Copy as ${language}` }).waitFor()
    }
  })

  test('the timeline and the chart show requests, and the timeline shows jumps of the clock', async () => {
    const { page, url } = await openConsole('requests')
    const lookUp = (code: string) => fetch(`${url}/stg/us/guest/zipCode?zipCode=${code}`, { headers: asGuest() })
    await lookUp('07660')
    await lookUp('1')
    await fetch(`${url}/_control/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ duration: 'PT20M' }),
    })
    await lookUp('07660')
    const timeline = page.getByRole('img', { name: 'Timeline of 3 requests, 0 streams' })
    await timeline.locator('text').getByText('20 minutes later').waitFor()
    expect(await timeline.locator('.bar').count()).toBe(3)
    await page.goto(`${url}/_console#/overview`)
    await page
      .getByRole('img', { name: 'Last hour: 2 success, 1 4xx, 0 5xx or no response, at most 2 requests in a minute' })
      .waitFor()
  })

  test('the chart counts each request once, even if requests arrive while it loads', async () => {
    const { page, url, ask } = await openConsole('clock')
    const lookUp = () => fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    for (let i = 0; i < 15; i++) await Promise.all(Array.from({ length: 10 }, lookUp))
    let late = 3
    await page.route(/journal\?.*since=/, async (route) => {
      if (late-- > 0) await lookUp()
      await route.continue()
    })
    await page.evaluate("location.hash = '#/overview'")
    await page.getByRole('img', { name: 'Last hour: 153 success, 0 4xx' }).waitFor()
    expect(await ask('journal')).toMatchObject({ totalCount: 153 })
  })

  test('a journal entry lists unknown inputs and suggests what was meant', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipcode=07660`, { headers: { 'request-source': 'vendor.com' } })
    await page.getByRole('table', { name: 'Journal' }).getByRole('link').click()
    await page.getByText('query.zipcode (did you mean zipCode?)').waitFor()
    await page.getByRole('button', { name: 'Code' }).click()
    await page.getByLabel('Language').selectOption('Vitest')
    const code = page.getByRole('region', { name: 'As Vitest' })
    await code.getByText("import { test } from 'vendor-cloud/vitest'").waitFor()
    expect(await code.innerText()).toContain("fetch(world.url + '/stg/us/guest/zipCode?zipcode=07660'")
  })
})
