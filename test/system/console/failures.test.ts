import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { toCode } from '../../../src/tools/console/views/requests/request-code.ts'
import { asGuest } from '../../helpers/build-test-app.ts'
import { openConsole, useBrowser } from '../../helpers/console.ts'
import { readParts, writeParts } from '../../helpers/documents/snapshots.ts'

const json = { 'content-type': 'application/json' }
const month = readFileSync(join(import.meta.dirname, '../../tools/cases/month-end.jsonl'), 'utf8').split('\n')

describe('the console with errors', () => {
  useBrowser()

  const openCase = (page: Page, text: string) =>
    page
      .getByLabel('Open a case…')
      .setInputFiles({ name: 'own.jsonl', mimeType: 'text/plain', buffer: Buffer.from(text) })

  test('an address with invalid percent-encoding still opens its view', async () => {
    const { page } = await openConsole('data/customers:100%')
    await page.getByRole('heading', { name: '100%' }).waitFor()
  })

  test('a change of the address while the page loads opens the new view', async () => {
    const { page } = await openConsole('overview')
    // Changes the hash as soon as the first view exists, before the browser paints it.
    await page.addInitScript(`new MutationObserver((_, observer) => {
      if (!document.querySelector('h1')) return
      observer.disconnect()
      location.hash = '#/cases'
    }).observe(document, { childList: true, subtree: true })`)
    await page.reload()
    await page.getByLabel('Open a case…').waitFor({ state: 'attached' })
  })

  test('repeating a request whose connection is reset shows that the server sent no response', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    const fault = JSON.stringify({ match: { operation: 30 }, respond: { reset: true } })
    await fetch(`${url}/_control/faults`, { method: 'POST', headers: json, body: fault })
    await page.getByRole('link', { name: 'Look up a ZIP code' }).click()
    await page.getByRole('button', { name: 'Repeat', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'Response: none' }).waitFor()
  })

  test('an action that gets no response reports its failure while other requests succeed', async () => {
    const { page, ask } = await openConsole('faults')
    const alert = page.getByRole('alert').getByText('The action failed because the server did not respond.')
    await page.route('**/_control/faults', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByRole('form', { name: 'New fault' }).getByRole('alert').getByText('The action failed').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Add fault' }).click()
    await alert.waitFor({ state: 'detached' })
    expect(await ask('faults')).toMatchObject({ totalCount: 1 })
    await page.route('**/clock/advance', (route) => route.abort())
    await page.getByRole('button', { name: '+1 h' }).click()
    await page.locator('.action-line').getByRole('alert').getByText('The action failed').waitFor()
    await page.keyboard.press('Escape')
    await alert.waitFor({ state: 'detached' })
  })

  test('a record that is null is rejected with a message', async () => {
    const { page } = await openConsole('data/sellers:000000000042')
    await page.getByRole('textbox', { name: 'JSON' }).fill('null')
    await page.getByRole('button', { name: 'Save record' }).click()
    expect(await page.getByRole('alert').innerText()).toMatch(/^name /)
  })

  test('a test stream can be closed without an error after its world was reset', async () => {
    const { page, url } = await openConsole('devices')
    await page.getByRole('button', { name: 'Open test stream' }).click()
    await page.getByText('CONTROL_EVENT  welcome').waitFor()
    // Otherwise, the server might end the stream for good before the click.
    await page.route('**/activate?**', (route) => route.abort())
    await fetch(`${url}/_control/reset`, { method: 'POST' })
    await page.getByRole('list', { name: 'Received by the test stream' }).getByText('reconnecting').waitFor()
    const revoked = page.waitForResponse((reply) => reply.url().includes('/_control/tokens/'))
    await page.getByRole('button', { name: 'Close test stream' }).click()
    expect((await revoked).status()).toBe(404)
    await page.getByRole('button', { name: 'Open test stream' }).waitFor()
  })

  test('a test stream that the server no longer knows can be opened again', async () => {
    const { page, url } = await openConsole('devices')
    await page.getByRole('button', { name: 'Open test stream' }).click()
    await page.getByText('CONTROL_EVENT  welcome').waitFor()
    await fetch(`${url}/_control/reset`, { method: 'POST' })
    await page.getByText('closed: the subscription or its token is no longer valid').waitFor()
    await page.getByRole('button', { name: 'Open test stream' }).click()
    await page.getByText('CONTROL_EVENT  welcome').waitFor()
    await page.getByRole('button', { name: 'Close test stream' }).waitFor()
  })

  test('a world without homes and service centers shows messages in the devices and tickets views', async () => {
    const { page, url } = await openConsole('overview')
    const snapshot = readParts(await (await fetch(`${url}/_control/snapshot`)).text())
    const body = writeParts({ ...snapshot, records: {} })
    await fetch(`${url}/_control/snapshot`, { method: 'PUT', headers: json, body })
    await page.goto(`${url}/_console#/devices`)
    await page.getByText('This world has no homes.').waitFor()
    await page.goto(`${url}/_console#/tickets`)
    await page.getByRole('button', { name: 'Calendar' }).click()
    await page.getByText('This world has no service centers.').waitFor()
  })

  test('a scrolled table still shows the last record after other records are deleted', async () => {
    const { page, url } = await openConsole('data/sellers')
    const keys = Array.from({ length: 98 }, (_, i) => String(900 + i))
    const address = (key: string) => `${url}/_control/records/sellers/${key}`
    const body = JSON.stringify({ name: 'one of many' })
    await Promise.all(keys.map((key) => fetch(address(key), { method: 'PUT', headers: json, body })))
    await page.getByText('100 records', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Records: rows' }).focus()
    await page.keyboard.press('End')
    const last = page.getByRole('rowheader', { name: '997' })
    await expect.poll(() => last.isVisible()).toBe(true)
    for (const key of keys.slice(0, 60)) await fetch(address(key), { method: 'DELETE' })
    await page.getByText('40 records', { exact: true }).waitFor()
    await last.waitFor()
    await page.getByRole('rowheader', { name: '960' }).waitFor()
  })

  test('a damaged case file is rejected with a message', async () => {
    const { page } = await openConsole('cases')
    const [header, step] = month
    const { start: _, ...noStart } = JSON.parse(header!) as Record<string, unknown>
    for (const [text, why] of [
      [JSON.stringify(noStart), 'the first line is not a case header'],
      [`${header}\n5\n`, 'a line is not a step'],
      [`${header}\n${step}\n{"step":2}\n`, 'a line is not a step'],
    ] as const) {
      await openCase(page, text)
      await page.getByRole('alert').getByText(why).waitFor()
    }
  })

  test('a case that contains a rejected clock move is displayed and replayed without differences', async () => {
    const { page, url } = await openConsole('cases')
    await fetch(`${url}/_control/recordings`, { method: 'POST' })
    await fetch(`${url}/_control/clock`, { method: 'PUT', headers: json, body: '{"now":' })
    await openCase(page, await (await fetch(`${url}/_control/recordings/current`)).text())
    await page.getByRole('button', { name: 'Replay to the end' }).click()
    await page.getByText('1 of 1 step').waitFor()
    const steps = page.getByRole('list', { name: 'Steps' })
    expect(await steps.innerText()).toMatch(
      /PUT clock\s+ConstraintViolationError: the body is not valid JSON: .+ \(our choice: json-bodies\)\s+400\s+the same/,
    )
  })

  test('the wallet view reports a text that is too long for a QR code', async () => {
    const { page } = await openConsole('wallet')
    for (const size of [2332, 200_000]) {
      const barcode = { ptSubFormat: 'QR_CODE', value: 'a'.repeat(size) }
      await page.getByRole('textbox', { name: 'Card' }).fill(JSON.stringify({ barcode }))
      await page.getByText(/^This barcode cannot be drawn. .*(too long|exceeded)/).waitFor()
      barcode.value = 'a'.repeat(2331)
      await page.getByRole('textbox', { name: 'Card' }).fill(JSON.stringify({ barcode }))
      await page.getByRole('img', { name: /^QR_CODE of aaa/ }).waitFor()
    }
  })

  test('a page without HTTPS can create worlds and replay cases although browsers restrict it', async () => {
    const { page, server } = await openConsole('worlds')
    // Removes functions that browsers do not provide on pages without HTTPS.
    await page.addInitScript('delete Crypto.prototype.randomUUID; delete Crypto.prototype.subtle')
    await page.reload()
    await page.getByLabel('Name').fill('plain')
    await page.getByRole('button', { name: 'Create world and open it' }).click()
    await page.waitForURL(`${server}/w/plain/_console**`)
    await page.goto(`${server}/w/plain/_console#/cases`)
    await openCase(page, month.join('\n'))
    await page.getByRole('button', { name: 'Replay to the end' }).click()
    await page.getByText('11 of 11 steps').waitFor()
  })

  test('a case with secrets replays in a browser that does not provide crypto.subtle', async () => {
    const { page, url } = await openConsole('cases')
    const post = (path: string, body: object, headers = {}) =>
      fetch(url + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })
    const issued = await post('/_control/tokens', { user: 'dana', scopes: [], locations: [], expiresIn: 3600 })
    const { accessToken } = (await issued.json()) as { accessToken: string }
    await post('/_control/recordings', {})
    await post('/subscriptions', {}, { authorization: `Bearer ${accessToken}` })
    await page.addInitScript('delete Crypto.prototype.subtle')
    await page.reload()
    await openCase(page, await (await fetch(`${url}/_control/recordings/current`)).text())
    await page.getByRole('button', { name: 'Replay to the end' }).click()
    await page.getByText('1 of 1 step').waitFor()
    await page.getByRole('list', { name: 'Steps' }).getByText('the same').waitFor()
    expect(await page.getByText('differs', { exact: true }).count()).toBe(0)
  })
})

test('a curl command uses --head for HEAD and --globoff for brackets', () => {
  const sent = { headers: [], body: undefined, hasFile: false, lacksBody: false }
  expect(toCode('curl', { ...sent, method: 'HEAD', path: '/a?b=[1-3]' }, 'http://localhost:8080')).toBe(
    "curl --head --globoff 'http://localhost:8080/a?b=[1-3]'",
  )
})
