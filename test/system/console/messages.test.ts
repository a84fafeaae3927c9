import { describe, expect, test } from 'vitest'
import { asGuest } from '../../helpers/build-test-app.ts'
import { answer, openConsole, useBrowser } from '../../helpers/console.ts'

describe('the messages of the console after an action', () => {
  useBrowser()

  test('a changed device and an opened test stream are confirmed in the message line', async () => {
    const { page } = await openConsole('devices')
    const line = page.getByRole('status', { name: 'Last action' })
    const light = page.getByRole('article', { name: 'Living room light' })
    await light.getByRole('button', { name: 'Set a value…' }).click()
    await light.getByRole('button', { name: 'offline', exact: true }).click()
    await line.getByText('Living room light is offline').waitFor()
    await page.getByRole('button', { name: 'Open test stream' }).click()
    await line.getByText('Opened the test stream').waitFor()
    await page.getByRole('button', { name: 'Close test stream' }).click()
    await line.getByText('Closed the test stream').waitFor()
  })

  test('a token for an unknown user is issued and confirmed in the message line', async () => {
    const { page, ask } = await openConsole('tokens')
    await page.getByText('does not check that the user exists').waitFor()
    await page.getByLabel('User').fill('nobody')
    await page.getByRole('button', { name: 'Issue token' }).click()
    await page.getByRole('status', { name: 'Last action' }).getByText('Issued a token for nobody').waitFor()
    const { items } = await ask<{ items: { user: string }[] }>('records/accessTokens')
    expect(items).toContainEqual(expect.objectContaining({ user: 'nobody' }))
  })

  test('an error in a form removes the message about an earlier action', async () => {
    const { page } = await openConsole('tokens')
    const line = page.getByRole('status', { name: 'Last action' })
    await page.getByRole('button', { name: 'Issue token' }).click()
    await line.getByText('Issued a token for alice-home').waitFor()
    await page.getByLabel('Expires in, minutes').fill('0')
    await page.getByRole('button', { name: 'Issue token' }).click()
    await page.getByRole('alert').getByText('Expires in must be').waitFor()
    expect(await line.innerText()).toBe('')
  })

  test('a message is above the view, and ends when the user opens another view', async () => {
    const { page } = await openConsole('tokens', { viewport: { width: 1280, height: 800 } })
    const line = page.getByRole('status', { name: 'Last action' })
    const title = page.getByRole('heading', { name: 'Tokens and certificates' })
    const before = await title.boundingBox()
    await page.getByRole('button', { name: 'Issue token' }).click()
    await line.getByText('Issued a token for alice-home').waitFor()
    expect(await title.boundingBox()).toEqual(before)
    const { y, height } = (await page.locator('.action-line').boundingBox())!
    expect(y + height).toBeLessThan(before!.y)
    await page.getByRole('link', { name: 'Devices', exact: true }).click()
    await expect.poll(() => line.innerText()).toBe('')
  })

  test('a saved record is confirmed by its key and its collection', async () => {
    const { page } = await openConsole('data/sellers:000000000042')
    const line = page.getByRole('status', { name: 'Last action' })
    const json = page.getByRole('textbox', { name: 'JSON' })
    const stored = await json.inputValue()
    await json.fill('{}')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await answer(page, 'Discard your changes?', 'Discard changes')
    await line.getByText('Discarded your changes').waitFor()
    await json.fill(`${stored} `)
    await page.getByRole('button', { name: 'Save record' }).click()
    await line.getByText('Saved 000000000042 in sellers').waitFor()
  })

  test('a repeated request and a cleared journal are confirmed in the message line', async () => {
    const { page, url } = await openConsole('requests')
    const line = page.getByRole('status', { name: 'Last action' })
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByRole('link', { name: 'Look up a ZIP code' }).click()
    await page.getByRole('button', { name: 'Repeat', exact: true }).click()
    await line.getByText('Repeated GET /stg/us/guest/zipCode?zipCode=07660').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await answer(page, 'Delete all requests and frames?', 'Clear')
    await line.getByText('Deleted all requests and frames').waitFor()
  })

  test('an error names the file that is not a snapshot', async () => {
    const { page } = await openConsole('snapshot')
    const file = { name: 'bad.json', mimeType: 'text/plain', buffer: Buffer.from('{"a":1}') }
    await page.getByLabel('Restore snapshot…').setInputFiles(file)
    await answer(page, /^Replace everything in .* with bad.json\?$/, 'Restore snapshot')
    await page
      .getByRole('alert')
      .getByText(/^bad\.json is not a snapshot: .* Choose a file that/)
      .waitFor()
  })

  test('a started and a discarded recording are confirmed in the message line', async () => {
    const { page } = await openConsole('cases')
    const line = page.getByRole('status', { name: 'Last action' })
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await line.getByText('Started the recording').waitFor()
    await page.getByRole('button', { name: 'Discard recording' }).click()
    await answer(page, 'Discard the recorded steps?', 'Discard recording')
    await line.getByText('Discarded the recording').waitFor()
  })
})
