import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { asGuest } from '../../helpers/build-test-app.ts'
import { openConsole, useBrowser } from '../../helpers/console.ts'

describe('the layout of the console', () => {
  useBrowser()

  const boxOf = async (element: Locator) => (await element.boundingBox())!

  test('the timeline of an ended purchase ends with it and keeps its labels inside', async () => {
    const { page } = await openConsole('billing/purchase-test-mode')
    await page.getByRole('button', { name: '+31 days' }).click()
    const timeline = page.getByRole('img', { name: /^13 payments .*no more payments/ })
    const texts = timeline.locator('text:not(:empty)')
    await expect.poll(() => texts.allTextContents()).toEqual([expect.stringMatching(/^2026-/), '13', '1', 'cancelled'])
    const { x, width } = await boxOf(timeline)
    for (const text of await texts.all()) {
      const label = await boxOf(text)
      expect(label.x).toBeGreaterThanOrEqual(x)
      expect(label.x + label.width).toBeLessThanOrEqual(x + width)
    }
    expect(
      (await boxOf(texts.getByText('13'))).x - (await boxOf(texts.getByText('1', { exact: true }))).x,
    ).toBeGreaterThan(width / 2)
  })

  test('a validation error is shown below the fields of a form, which keep their places', async () => {
    const { page } = await openConsole('faults')
    await page.getByRole('combobox', { name: 'Response' }).selectOption('another status')
    const form = page.getByRole('form', { name: 'New fault' })
    await form.getByRole('spinbutton', { name: 'Status' }).fill('999')
    const submit = form.getByRole('button', { name: 'Add fault' })
    const before = await boxOf(submit)
    await submit.click()
    const error = await boxOf(form.getByRole('alert'))
    expect(await boxOf(submit)).toEqual(before)
    expect(error.y).toBeGreaterThan(before.y + before.height)
    expect(error.x + error.width).toBeGreaterThanOrEqual(before.x + before.width)
  })

  test('the navigation fits a window that is 800 px high', async () => {
    const { page } = await openConsole('overview', { viewport: { width: 1280, height: 800 } })
    const theme = await boxOf(page.getByRole('combobox', { name: 'Theme' }))
    expect(theme.y + theme.height).toBeLessThan(800)
  })

  test('the list of requests keeps its columns next to an opened entry in a wide window', async () => {
    const { page, url } = await openConsole('requests', { viewport: { width: 1920, height: 1080 } })
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page.getByRole('link', { name: 'Look up a ZIP code' }).click()
    await page.getByRole('article').waitFor()
    await page.getByRole('columnheader', { name: 'Path' }).waitFor()
    const keys = await boxOf(page.getByRole('button', { name: 'Keys' }))
    expect(keys.y).toBe((await boxOf(page.getByRole('button', { name: 'Filter and verify' }))).y)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('columnheader', { name: 'Path' }).waitFor({ state: 'hidden' })
  })

  test('the paths and reasons of requests are complete, also next to an opened request', async () => {
    const { page, url } = await openConsole('requests', { viewport: { width: 1280, height: 800 } })
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`)
    const texts = page.locator('.path-and-reason > *')
    await texts.nth(1).waitFor()
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      for (const text of await texts.all()) {
        expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      }
      await page.getByRole('link', { name: 'Look up a ZIP code' }).click()
    }
    expect((await boxOf(page.getByRole('row').nth(1))).height).toBe(44)
  })

  test('only the panel of an opened request scrolls', async () => {
    const { page, url } = await openConsole('requests', { viewport: { width: 1280, height: 800 } })
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`)
    await page.getByRole('link', { name: 'Look up a ZIP code' }).click()
    await page.getByRole('region', { name: 'Response: headers' }).waitFor()
    const scrolling = await page.evaluate<string[]>(`[...document.querySelectorAll('*')]
      .filter(({ scrollHeight, clientHeight }) => clientHeight > 0 && scrollHeight > clientHeight)
      .filter((each) => each === document.documentElement || /auto|scroll/.test(getComputedStyle(each).overflowY))
      .map(({ tagName, className }) => tagName + ' ' + className)`)
    expect(scrolling).toEqual(['ARTICLE detail'])
  })

  test.each(['tokens', 'worlds', 'coverage'])(
    'on a phone, the table of the view %s needs no scrolling',
    async (view) => {
      const { page } = await openConsole(view, { viewport: { width: 390, height: 844 } })
      const box = page.getByRole('region', { name: /: rows$/ })
      expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      expect(await page.getByRole('row').first().innerText()).toMatch(/never|Revoke token|–/)
    },
  )

  test('the calendar shows all days of the week next to an opened ticket', async () => {
    const { page } = await openConsole('tickets/4100000017', { viewport: { width: 1280, height: 800 } })
    await page.getByRole('article', { name: 'Service request' }).waitFor()
    await page.getByRole('button', { name: 'Calendar' }).click()
    const box = page.getByRole('region', { name: 'Calendar' })
    expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })

  test('the vertical lines of a case continue in a row that has two lines', async () => {
    const { page, url } = await openConsole('cases')
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await page.getByText('There are no steps.').waitFor()
    for (const zipCode of ['07660', '766']) {
      await fetch(`${url}/stg/us/guest/zipCode?zipCode=${zipCode}`, { headers: asGuest() })
    }
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('link')
    await expect.poll(() => steps.count()).toBe(2)
    for (const step of await steps.all()) {
      expect((await boxOf(step.locator('svg.rails'))).height).toBeCloseTo((await boxOf(step)).height, 0)
    }
  })

  test('the timeline of the requests shows when the first request was received', async () => {
    const { page, url } = await openConsole('requests')
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await page
      .getByRole('img', { name: /^Timeline/ })
      .getByText(/^\d\d:\d\d:\d\d$/)
      .waitFor()
  })

  test('the list of purchases shows complete names next to an opened purchase in a wide window', async () => {
    const { page } = await openConsole('billing/purchase-active', { viewport: { width: 1920, height: 1080 } })
    await page.getByRole('columnheader', { name: 'Until' }).waitFor()
    const name = page.getByRole('rowheader', { name: 'purchase-test-mode' })
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })
})
