import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { asGuest } from '../../helpers/build-test-app.ts'
import { answer, clockAt, openConsole, useBrowser, waitUntilLive } from '../../helpers/console.ts'

const CASES = join(import.meta.dirname, '../../tools/cases')
const fileOf = (name: string) => join(CASES, `${name}.jsonl`)

describe('cases in the console', () => {
  useBrowser()

  const steps = (page: Page) => page.getByRole('list', { name: 'Steps' })
  const choose = (page: Page, name: string) => page.getByLabel('Open a case…').setInputFiles(fileOf(name))

  test.each(['booking-race', 'stream-resumed', 'random-world'])(
    'the case %s can be replayed to its end without differences',
    async (name) => {
      const { page } = await openConsole('cases')
      await choose(page, name)
      await page.getByRole('heading', { name: `Case ${name}` }).waitFor()
      await page.getByRole('button', { name: 'Replay to the end' }).click()
      const count = readFileSync(fileOf(name), 'utf8').trim().split('\n').length - 1
      await page.getByText(`${count} of ${count} steps`).waitFor()
      expect(await page.getByText('differs', { exact: true }).count()).toBe(0)
      await expect.poll(() => steps(page).getByText('the same').count()).toBeGreaterThan(0)
    },
  )

  test('a comparison report lists the operations and explains each difference', async () => {
    const { page } = await openConsole('cases')
    const found = { operation: '30', route: 'GET /stg/us/guest/zipCode', count: 1, step: 1 }
    const differences = [
      { ...found, place: 'status', kind: 'status', ours: 400, theirs: 200, explanation: 'choice: x', value: 'on' },
      { ...found, place: 'body.<b>', kind: 'missing', ours: '<img src=x>', explanation: 'unexplained' },
    ]
    const kinds = { status: { count: 1, share: 0.5 }, missing: { count: 1, share: 0.5 } }
    const distance = [{ operation: '30', route: found.route, calls: 1, places: 2, kinds }]
    const left = { writes: 1, secrets: 0, control: 0 }
    const upstream = 'https://api.vendor.example/'
    const streams = { compared: 0, notCompared: 0 }
    const about = { comparison: 1, upstream, calls: 1, left, streams, unlisted: 0, exceeded: [] }
    const report = { ...about, differences, distance }
    const buffer = Buffer.from(JSON.stringify(report))
    await page.getByLabel('Open a case…').setInputFiles({ name: 'report.json', mimeType: 'application/json', buffer })
    const operation = page.getByRole('region', { name: '30 GET /stg/us/guest/zipCode' })
    await operation.getByText('choice: x, ended by on').waitFor()
    await expect.poll(() => operation.getByRole('row').count()).toBe(3)
    await operation.getByText('<img src=x>').waitFor()
    await page.getByLabel('Show only unexplained differences').check()
    await expect.poll(() => operation.getByRole('row').count()).toBe(2)
    await page.getByRole('button', { name: 'Close the report' }).click()
    await page.getByText('No case is open.').waitFor()
  })

  test('a case file can be dropped on any view and replayed step by step', async () => {
    const { page } = await openConsole('faults')
    const text = readFileSync(fileOf('month-end'), 'utf8')
    await page.evaluate(
      `(() => {
        const data = new DataTransfer()
        data.items.add(new File([${JSON.stringify(text)}], 'month-end.jsonl'))
        document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }))
      })()`,
    )
    await page.getByRole('heading', { name: 'month-end' }).waitFor()
    await steps(page).getByText('forward by P28D').first().waitFor()
    await page.getByRole('button', { name: 'Next step' }).click()
    await page.getByText('1 of 11 steps').waitFor()
    await page.getByRole('button', { name: 'Next step' }).click()
    await page.getByText('2 of 11 steps').waitFor()
    await expect.poll(() => steps(page).getByText('the same').count()).toBe(2)
  })

  test('two steps of a recorded world can be compared, and Rewind opens a world', async () => {
    const { page, url } = await openConsole('cases')
    await page.getByRole('button', { name: 'Record' }).click()
    await page.getByRole('region', { name: 'Points' }).waitFor()
    const draft = { user: 'u', scopes: [], locations: [], expiresIn: 60 }
    for (let i = 0; i < 2; i++) {
      await fetch(`${url}/_control/tokens`, { method: 'POST', body: JSON.stringify(draft) })
    }
    await page.getByLabel('From step').fill('1')
    await page.getByLabel('To step').fill('2')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('1 record changed.').waitFor()
    await page.getByRole('region', { name: 'Changes' }).getByText('accessTokens').waitFor()
    await page.getByRole('button', { name: 'Rewind' }).click()
    await page.waitForURL(/\/w\/[^/]+\/_console/)
  })

  test('a step that differs shows the differences, and an invalid file is rejected', async () => {
    const { page } = await openConsole('cases')
    const text = readFileSync(fileOf('booking-race'), 'utf8')
    const changed = text.replace('"ascName\\":\\"Vendor Care', '"ascName\\":\\"Wonder Care')
    expect(changed).not.toBe(text)
    const input = page.getByLabel('Open a case…')
    await input.setInputFiles({ name: 'changed.jsonl', mimeType: 'text/plain', buffer: Buffer.from(changed) })
    await page.getByRole('button', { name: 'Next step' }).click()
    await page.getByText('1 differ', { exact: true }).waitFor()
    await steps(page).getByRole('link').first().click()
    const differences = page.getByRole('region', { name: 'Differences' })
    expect(await differences.innerText()).toContain('reply.body.ascName (value)')
    expect(await differences.innerText()).toContain('Wonder Care')
    await input.setInputFiles({ name: 'none.jsonl', mimeType: 'text/plain', buffer: Buffer.from('{"a":1}\n') })
    await page.getByRole('alert').getByText('the first line is not a case header').waitFor()
  })

  test('a world can be forked from the state after any step of a replayed case', async () => {
    const { page, server, world } = await openConsole('cases')
    await choose(page, 'month-end')
    await page.getByRole('button', { name: 'Replay to the end' }).click()
    await page.getByText('11 of 11 steps').waitFor()
    expect(await page.getByText('differs', { exact: true }).count()).toBe(0)
    await steps(page)
      .getByRole('link', { name: /POST purchases/ })
      .click()
    await page.getByRole('button', { name: 'Fork after this step' }).click()
    await page.waitForURL(/\/w\/month-end-2-\w+\/_console/)
    await waitUntilLive(page)
    await page.getByText('Sun 31 Jan 2027').first().waitFor()
    const [, fork] = /\/w\/([a-z0-9-]+)\//.exec(page.url())!
    const purchases = await fetch(`${server}/w/${fork}/_control/purchases?limit=100`)
    const { items } = (await purchases.json()) as { items: { itemID: string }[] }
    expect(items.map(({ itemID }) => itemID)).toContain('gold')
    expect(fork).not.toBe(world)
  })

  test('a recording can be saved as a case that replays, and discarding it requires confirmation', async () => {
    const { page, url, world } = await openConsole('cases')
    await page.getByRole('button', { name: '+1 day' }).click()
    await clockAt(page, '2026-05-07').waitFor()
    await page.getByRole('button', { name: 'Record' }).click()
    await page.getByText('Recording since Thu 7 May 2026, 16:00:00').waitFor()
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Stop and save the case' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${world}.case.jsonl`)
    await page.getByRole('heading', { name: `Case ${world}.case.jsonl` }).waitFor()
    await page.getByText('A replay creates a temporary world,').waitFor()
    await page.getByText('Thu 7 May 2026, 16:00:00 UTC').waitFor()
    expect(await page.getByRole('button', { name: 'Record' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Replay to the end' }).click()
    await page.getByText('1 of 1 step').waitFor()
    await expect.poll(() => steps(page).getByText('the same').count()).toBe(1)

    await page.getByRole('button', { name: 'Close the case' }).click()
    await page.getByRole('button', { name: 'Record' }).click()
    await page.getByRole('button', { name: 'Discard recording' }).click()
    await answer(page, 'Discard the recorded steps?', 'Keep')
    expect((await fetch(`${url}/_control/recordings/current`)).status).toBe(200)
    await page.getByRole('button', { name: 'Discard recording' }).click()
    await answer(page, 'Discard the recorded steps?', 'Discard recording')
    await page.getByRole('button', { name: 'Record' }).waitFor()
    expect((await fetch(`${url}/_control/recordings/current`)).status).toBe(404)
  })

  test('a recording that a reset has ended can be saved and started again', async () => {
    const { page, url } = await openConsole('cases')
    await page.getByRole('button', { name: 'Record' }).click()
    await page.getByText('Recording since').waitFor()
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.goto(`${url}/_console#/snapshot`)
    await page.getByRole('button', { name: 'Reset world' }).click()
    await answer(page, /The recording ends too, but its steps can still be saved\.$/, 'Reset world')
    await page.goto(`${url}/_console#/cases`)
    await page.getByText(/^The recording that started at .* ended because the world was reset or restored\.$/).waitFor()
    await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the case' }).click()])
    const line = page.getByRole('status', { name: 'Last action' })
    await line.getByText('Saved the case', { exact: true }).waitFor()
    await page.getByText('0 of 1 step').waitFor()
    await page.getByRole('button', { name: 'Close the case' }).click()
    await page.getByRole('button', { name: 'Record' }).click()
    await page.getByText('Recording since').waitFor()
    await fetch(`${url}/_control/reset`, { method: 'POST' })
    await page.getByRole('button', { name: 'Record again' }).click()
    await answer(page, 'Discard the recorded steps?', 'Record again')
    await page.getByText('Recording since').waitFor()
  })

  test('leaving the view or the page deletes the world of a replay', async () => {
    const { page, server, world } = await openConsole('cases')
    const names = async () => {
      const { items } = (await (await fetch(`${server}/_control/worlds`)).json()) as { items: { name: string }[] }
      return items.map(({ name }) => name).filter((name) => name.startsWith('month-end-'))
    }
    const others = await names()
    const own = async () => (await names()).filter((name) => !others.includes(name))
    const begin = async () => {
      await choose(page, 'month-end')
      await page.getByRole('button', { name: 'Next step' }).click()
      await page.getByText('1 of 11 steps').waitFor()
      expect(await own()).toHaveLength(1)
    }
    await begin()
    await page.goto(`${server}/w/${world}/_console#/faults`)
    await expect.poll(own).toEqual([])
    await page.goto(`${server}/w/${world}/_console#/cases`)
    await begin()
    await page.goto('about:blank')
    await expect.poll(own).toEqual([])
  })

  test('a link in an email becomes a button only if it opens a web page', async () => {
    const { page, url } = await openConsole('mail')
    const link = (rel: string, href: string) => ({ rel, href })
    const links = [
      link('cancel', 'javascript:alert(1)'),
      link('data', 'data:text/html,x'),
      link('help', 'https://a.example/'),
    ]
    const mail = { channel: 'EMAIL', to: 'a@example.com', subject: 'Links', text: 'x', links }
    const sent = { messageId: 'evil', ...mail, sentAt: '2026-05-06T16:00:00.000Z' }
    const headers = { 'content-type': 'application/json' }
    await fetch(`${url}/_control/records/outbox/evil`, { method: 'PUT', headers, body: JSON.stringify(sent) })
    await page.goto(`${url}/_console#/mail/evil`)
    await page.getByRole('link', { name: 'Open the help link' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /^Open the/ }).count()).toBe(1)
  })
})
