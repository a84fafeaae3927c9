import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createCertificates } from '../../../src/server/adapters/certificates/certificates.ts'
import { openConsole, useBrowser } from '../../helpers/console.ts'
import { makeSigningRequest } from '../../helpers/documents/signing-request.ts'

const SUBJECT = '/C=US/O=Example/CN=partner.example.com/emailAddress=ops@example.com'
/** Maximum number of Tab presses. No view has more elements that can get the focus. */
const MOST_STOPS = 150

describe('views of the console with the keyboard only', () => {
  useBrowser()

  async function tabTo(page: Page, name: string): Promise<void> {
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      await page.keyboard.press('Tab')
      if ((await focused(page)) === name) return
    }
    throw new Error(`Tab never comes to ${name}`)
  }

  const focused = (page: Page) =>
    page.evaluate<string>(`(() => {
      const { ariaLabel, labels, textContent } = document.activeElement
      return (ariaLabel ?? labels?.[0]?.firstChild.textContent) || textContent
    })()`)

  async function act(page: Page, name: string): Promise<void> {
    await tabTo(page, name)
    await page.keyboard.press('Enter')
  }

  /** The button that cancels has the focus. The button that confirms precedes the button that cancels. */
  async function sayYes(page: Page): Promise<void> {
    expect(await focused(page)).toBe('Keep')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
  }

  test('a scenario can be written, started and ended, and Escape cancels the confirmation', async () => {
    const { page, ask } = await openConsole('scenarios')
    await page.getByRole('button', { name: 'Start scenario' }).waitFor()
    await tabTo(page, "Steps. Each afterMs is counted from the previous step, by the world's clock")
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('{')
    await act(page, 'Start scenario')
    await page.getByRole('alert').getByText('This is not JSON').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Control+a')
    const [device] = (await ask<{ items: { deviceId: string }[] }>('records/devices?limit=1')).items
    const step = { afterMs: 60_000, deviceId: device!.deviceId, status: 'OFFLINE' }
    await page.keyboard.insertText(JSON.stringify({ steps: [step] }))
    await act(page, 'Start scenario')
    await page.getByRole('row', { name: /Step 1 of 1 2026-05-06 16:0/ }).waitFor()

    await act(page, 'End scenario')
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('End scenario')
    expect(await ask('scenarios')).toMatchObject({ totalCount: 1 })
    await page.keyboard.press('Enter')
    await sayYes(page)
    await page.getByText('No scenario is running.').waitFor()
    expect(await ask('scenarios')).toMatchObject({ totalCount: 0 })
  })

  test('a token can be issued for a user and revoked', async () => {
    const { page, ask } = await openConsole('tokens')
    await page.getByRole('table', { name: 'Tokens' }).getByRole('row').nth(1).waitFor()
    const { totalCount } = await ask<{ totalCount: number }>('records/accessTokens')
    await tabTo(page, 'User')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('aaron')
    await act(page, 'Issue token')
    const token = await page.getByRole('region', { name: 'The token' }).innerText()
    expect(token).toMatch(/^\w{16,}$/)
    const tokens = page.getByRole('table', { name: 'Tokens' })
    await tokens.getByText('aaron').waitFor()
    expect(await ask('records/accessTokens')).toMatchObject({ totalCount: totalCount + 1 })

    const users = await tokens.getByRole('rowheader').allInnerTexts()
    for (let i = 0; i <= users.indexOf('aaron'); i++) await tabTo(page, 'Revoke token')
    await page.keyboard.press('Enter')
    await sayYes(page)
    await tokens.getByText('aaron').waitFor({ state: 'detached' })
    expect(await ask('records/accessTokens')).toMatchObject({ totalCount })
  })

  test('a certificate can be issued for a signing request unless the request is invalid', async () => {
    const { page } = await openConsole('tokens')
    const request = makeSigningRequest({ key: await createCertificates().newKey(), subject: SUBJECT })
    await act(page, 'Certificate for the wallet')
    await tabTo(page, 'Signing request, PEM (the command vendor-cloud wallet request creates one)')
    await page.keyboard.insertText('none')
    await act(page, 'Issue certificate')
    await page.getByRole('alert').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(request)
    await act(page, 'Issue certificate')
    const certificate = page.getByRole('region', { name: 'The certificate', exact: true })
    expect(await certificate.innerText()).toMatch(/^-----BEGIN CERTIFICATE-----/)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('Escape closes a form that a button opened and returns the focus to that button', async () => {
    const { page, url } = await openConsole('billing')
    const opens = async (view: string, button: string, form: string) => {
      await page.goto(`${url}/_console#/${view}`)
      await page.getByRole('button', { name: button, exact: true }).first().waitFor()
      await act(page, button)
      await page.getByLabel(form, { exact: true }).first().waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Escape')
      await page.getByLabel(form, { exact: true }).first().waitFor({ state: 'detached' })
      expect(await focused(page)).toBe(button)
    }
    await opens('billing', 'Sell a subscription…', 'Item')
    await opens('devices', 'Set a value…', 'Value, text or JSON')
    await opens('requests', 'Filter and verify', 'Path, * for anything')
  })

  test('unsaved changes to a record are still there when the record is opened again', async () => {
    const { page } = await openConsole('data/sellers:000000000042')
    await expect.poll(() => page.getByRole('textbox', { name: 'JSON' }).inputValue()).toContain('Harbour Fitness')
    await tabTo(page, 'JSON')
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' ')
    await page.getByText('Not saved yet').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('article', { name: 'Record' }).waitFor({ state: 'detached' })
    await page.evaluate("location.hash = '#/data/sellers:000000000042'")
    await page.getByText('Not saved yet').waitFor()
    await act(page, 'Discard changes')
    await sayYes(page)
    await page.getByText('Not saved yet').waitFor({ state: 'detached' })
  })
})
