import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openConsole, useBrowser } from '../../helpers/console.ts'

const run = promisify(execFile)

describe('first use of the console', () => {
  useBrowser()

  test('the overview lists first steps until the first request arrives', async () => {
    const { page, url } = await openConsole('overview')
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    await page.getByRole('heading', { name: 'Coming up' }).waitFor()
    await expect.poll(async () => (await headings.allInnerTexts())[0]).toBe('First steps')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: { 'request-source': 'vendor.com' } })
    await page.reload()
    await expect.poll(async () => (await headings.allInnerTexts()).at(-1)).toBe('First steps')
    await expect.poll(() => page.getByRole('heading', { name: 'First steps' }).count()).toBe(1)
  })

  test('no view of a new world sends a request that fails', async () => {
    const { page, url } = await openConsole('overview')
    const refused: string[] = []
    const open = new Set<unknown>()
    page.on('request', (request) => open.add(request))
    page.on('requestfinished', (request) => open.delete(request))
    page.on('response', (reply) => {
      if (reply.status() >= 400) refused.push(`${reply.status()} ${reply.url()}`)
    })
    const links = page.getByRole('navigation').locator('a[href^="#/"]')
    const views = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')!))
    expect(views.length).toBeGreaterThan(15)
    for (const view of views) {
      await page.goto(`${url}/_console${view}`)
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.loading').waitFor({ state: 'detached' })
      await expect.poll(() => open.size).toBe(0)
    }
    expect(refused).toEqual([])
  })

  test('a new user can emit an event, renew a purchase and cancel an appointment', async () => {
    const { page, url, ask } = await openConsole('')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    await page.getByRole('link', { name: 'Turn on a light' }).click()
    await page.getByRole('button', { name: 'Open test stream' }).click()
    await page.getByText('CONTROL_EVENT welcome').waitFor()
    await page.getByRole('article', { name: 'Living room light' }).getByRole('button', { name: 'off' }).click()
    await page.getByRole('list', { name: 'Received by the test stream' }).getByText('switch: on').waitFor()
    await page.getByRole('button', { name: 'Close test stream' }).click()
    await page.getByRole('button', { name: 'Open test stream' }).waitFor()
    expect(await ask('streams')).toMatchObject({ totalCount: 0 })
    await expect.poll(() => ask('records/subscriptions')).toMatchObject({ totalCount: 0 })

    await page.getByRole('link', { name: 'vendor-cloud' }).click()
    await page.getByRole('link', { name: 'a subscription', exact: true }).click()
    await page.getByRole('img', { name: /^2 payments/ }).waitFor()
    await page.getByRole('button', { name: '+31 days' }).click()
    await page.getByRole('img', { name: /^3 payments/ }).waitFor()

    await page.getByRole('link', { name: 'vendor-cloud' }).click()
    await page.getByRole('link', { name: 'its mail' }).click()
    const command = await page.getByRole('region', { name: 'An in-store request' }).innerText()
    const { stdout } = await run('sh', ['-c', `${command} --silent`])
    const { srid } = JSON.parse(stdout) as { srid: string }
    await page.getByRole('link', { name: /Your service appointment/ }).click()
    const [letter] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open the cancel link' }).click(),
    ])
    await letter.getByRole('button', { name: 'Cancel the appointment' }).click()
    await letter.getByText('Your appointment is cancelled.').waitFor()
    expect(await ask(`records/inStoreRequests/${srid}`)).toMatchObject({ statusReasonCode: 'CANCELLED' })

    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page
      .getByRole('table', { name: 'Journal' })
      .getByRole('row', { name: '/stg/us/instore/create' })
      .getByRole('link')
      .click()
    await page.getByRole('button', { name: 'Code' }).click()
    const again = await page.getByRole('region', { name: 'As curl' }).innerText()
    expect(again).toContain(`${url}/stg/us/instore/create`)
    const env = { ...process.env, VENDORUS_GUID: 'splus-carol' }
    const reply = await run('sh', ['-c', `${again} --silent`], { env })
    expect(JSON.parse(reply.stdout)).toMatchObject({ status: 'E0001', firstName: 'Carol' })
  })
})
