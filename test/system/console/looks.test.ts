import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openConsole, useBrowser } from '../../helpers/console.ts'

describe('the layout of the console', () => {
  useBrowser()

  const boxOf = async (element: Locator) => (await element.boundingBox())!

  test('the timeline of an ended purchase ends with it and keeps its labels inside', async () => {
    const { page } = await openConsole('billing/purchase-test-mode')
    await page.getByRole('button', { name: '+31 days' }).click()
    const timeline = page.getByRole('img', { name: /^13 payments .*no more payments/ })
    const texts = timeline.locator('text')
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
})
