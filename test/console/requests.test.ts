import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { browserTests, openConsole, useBrowser } from '../helpers/console.ts'

const run = promisify(execFile)

describe('the requests of the console (needs /usr/bin/chromium)', browserTests, () => {
  useBrowser()

  test('a request shows as it happens, and opens with its reply, its reason and its rule', async () => {
    const { page, url } = await openConsole('requests')
    await page.getByText('Nobody has asked for anything yet.').waitFor()
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=7660`, { headers: { 'request-source': 'vendor.com' } })

    await page.getByRole('link', { name: '/stg/us/guest/zipCode' }).click()
    const entry = page.getByRole('article', { name: 'Entry' })
    expect(await entry.getByRole('region', { name: 'Why it was refused' }).innerText()).toMatch(
      /query\.zipCode[\s\S]*Rule: document 1/,
    )
    expect(await entry.getByRole('region', { name: 'Reply: body' }).innerText()).toContain('query.zipCode')
  })

  test('a request that was copied as curl does the same again, its secrets taken from shell variables', async () => {
    const { page, url, ask } = await openConsole('requests')
    await fetch(`${url}/stg/us/customerFeedback`, {
      method: 'POST',
      headers: { 'request-source': 'vendor.com', 'vendorus-profId': 'web-alice', 'content-type': 'application/json' },
      body: JSON.stringify({ rating: 5, comment: "it's quick & plain", nobody: null }),
    })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: '/stg/us/customerFeedback' }).click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied').waitFor()
    const command = await page.evaluate<string>('navigator.clipboard.readText()')

    expect(command).not.toContain('web-alice')
    const env = { ...process.env, VENDORUS_PROFID: 'web-alice' }
    const { stdout } = await run('sh', ['-c', `${command} --silent`], { env })
    expect(JSON.parse(stdout)).toMatchObject({ received: true })
    const { entries } = await ask<{ entries: { request: unknown; caller: string }[] }>('journal')
    expect(entries.map(({ caller }) => caller)).toEqual(['web-alice', 'web-alice'])
    expect(entries[0]!.request).toMatchObject({ body: { rating: 5, comment: "it's quick & plain", nobody: null } })
    await expect(run('sh', ['-c', command], { env: {} })).rejects.toThrow('VENDORUS_PROFID')
  })

  test('the filter leaves what fits, and Clear empties the journal', async () => {
    const { page, url, ask } = await openConsole('requests')
    for (const path of ['/stg/us/guest/zipCode?zipCode=07660', '/stg/us/guest/zipCode?zipCode=1', '/nowhere']) {
      await fetch(url + path, { headers: { 'request-source': 'vendor.com' } })
    }
    const entries = page.getByRole('list', { name: 'Journal' }).getByRole('listitem')
    await entries.nth(2).waitFor()
    await page.getByLabel('Filter').fill('zipcode 400')
    expect(await entries.allInnerTexts()).toEqual([expect.stringContaining('400')])

    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('Nobody has asked for anything yet.').waitFor()
    expect(await ask('journal')).toMatchObject({ totalCount: 0 })
  })
})
