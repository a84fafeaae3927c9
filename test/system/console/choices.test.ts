import { describe, expect, test } from 'vitest'
import { asGuest } from '../../helpers/build-test-app.ts'
import { openConsole, useBrowser } from '../../helpers/console.ts'

describe('choices in the console', () => {
  useBrowser()

  test('a choice can be set and reset, and the header shows the profile', async () => {
    const { page, url, ask } = await openConsole('choices')
    const lookUp = async () =>
      (await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660-1234`, { headers: asGuest() })).status
    await page.getByText('No profile is applied.').waitFor()
    expect(await page.locator('header .changed').count()).toBe(0)
    await page.getByRole('combobox', { name: 'zip-plus-four' }).selectOption('accepted')
    await page.getByText('The profile is console.').waitFor()
    expect(await lookUp()).toBe(200)
    await page.getByText('Profile: console, 1 choice').waitFor()
    const lifetime = page.getByRole('textbox', { name: /^session-lifetime/ })
    await lifetime.fill('an hour')
    await lifetime.press('Enter')
    await page
      .getByText(/an ISO 8601 duration/)
      .first()
      .waitFor()
    await lifetime.fill('PT2H')
    await lifetime.press('Enter')
    await page.getByText('Profile: console, 2 choices').waitFor()
    expect(await ask('profile')).toEqual({
      profile: 'console',
      choices: { 'zip-plus-four': 'accepted', 'session-lifetime': 'PT2H' },
    })
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    await page.getByRole('link', { name: /^Profile: console/ }).click()
    await page.getByRole('button', { name: 'Reset to default' }).first().click()
    await page.getByText('Profile: console, 1 choice').waitFor()
    await page.getByRole('button', { name: 'Remove profile' }).click()
    await page.getByText('No profile is applied.').waitFor()
    expect(await lookUp()).toBe(400)
  })

  test('the header shows a recording, faults, variation, rate limits and a moved or paused clock', async () => {
    const { page, url } = await openConsole('requests')
    const send = (method: string, path: string, body?: object) =>
      fetch(`${url}/_control/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    expect(await page.locator('header .changed').count()).toBe(0)
    await send('POST', 'recordings')
    await page.getByRole('link', { name: 'recording', exact: true }).waitFor()
    await send('POST', 'reset')
    await page.locator('header .changed').waitFor({ state: 'detached' })
    await send('POST', 'faults', { match: { operation: 30 }, respond: { status: 503 }, times: 1, name: 'once' })
    await page.getByRole('link', { name: '1 fault' }).waitFor()
    await send('PUT', 'variation', { kinds: ['json-order'] })
    await page.getByText('1 fault, responses vary').waitFor()
    await page.getByRole('link', { name: 'Tickets' }).first().click()
    await page.getByText('1 fault, responses vary').waitFor()
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByText('responses vary', { exact: true }).waitFor()
    await send('DELETE', 'variation')
    await page.locator('header .changed').waitFor({ state: 'detached' })
    await send('PUT', 'clock', { frozen: true })
    await page.getByRole('link', { name: 'clock paused', exact: true }).waitFor()
    await send('PUT', 'clock', { frozen: false })
    await send('POST', 'clock/advance', { duration: 'P1D' })
    await page.getByRole('link', { name: 'clock moved', exact: true }).click()
    await page.getByRole('heading', { name: 'Clock', exact: true }).waitFor()
    await send('DELETE', 'clock')
    await page.locator('header .changed').waitFor({ state: 'detached' })
    await send('PUT', 'profile', { profile: 'slow', choices: { 'rate-limit': { requests: 9, per: 'PT1M' } } })
    await page.getByText('rate limit', { exact: true }).waitFor()
  })

  test('a built-in profile can be applied and is renamed when it is changed', async () => {
    const { page, url, ask } = await openConsole('choices')
    await page.getByRole('button', { name: /^Rough/ }).click()
    await page.getByText('The profile is rough.').waitFor()
    await page.getByText(/Profile: rough, \d+ choices/).waitFor()
    await page.getByText(/\d+ faults, responses vary/).waitFor()
    await fetch(`${url}/_control/faults`, { method: 'DELETE' })
    await page.getByText('responses vary', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'zip-plus-four' }).selectOption('accepted')
    await page.getByText('The profile is rough-changed.').waitFor()
    const { choices } = await ask<{ choices: object }>('profile')
    expect(choices).toMatchObject({ 'zip-plus-four': 'accepted', 'ticket-progress': 'auto' })
    await page.getByRole('link', { name: 'Clock' }).click()
    await page
      .getByRole('link', { name: /^Request \d{10} is (confirmed|completed)$/ })
      .first()
      .waitFor()
  })
})
