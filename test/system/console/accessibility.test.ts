import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { examinationOperations } from '../../../src/contract/control/examination.ts'
import { asGuest } from '../../helpers/build-test-app.ts'
import { openConsole, useBrowser, waitUntilLive } from '../../helpers/console.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const views = [
  'overview',
  'requests/1',
  'clock',
  'devices',
  'streams',
  'mail',
  'billing/purchase-tiered',
  'tickets',
  'wallet',
  'tokens',
  'snapshot',
  'scenarios',
  'faults',
  'choices',
  'cases/2',
  'coverage',
  'examination',
  'worlds',
  'data/customers:1000000001',
  'nothing-of-the-kind',
]

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** In the dark scheme, only the colors differ, so only contrast is checked there. */
const TELEPHONE = 390
const looks = [
  ['light', 1280, everything],
  ['dark', 1280, ['color-contrast', 'link-in-text-block']],
  ['light', TELEPHONE, everything],
] as const

describe('accessibility of the console', () => {
  useBrowser()

  /** Waits until the page has changed, because it shows the old view until then. */
  const turnTo = (page: Page, hash: string) =>
    page.evaluate(`new Promise((heard) => {
      if (location.hash === '${hash}') return heard()
      addEventListener('hashchange', () => setTimeout(heard), { once: true })
      location.hash = '${hash}'
    })`)

  async function openEach(look: (page: Page, view: string) => Promise<void>) {
    // The content security policy of the page would block the script of the check. Changing the view does not unload
    // the script.
    const { page, url } = await openConsole('overview', { reducedMotion: 'reduce', bypassCSP: true })
    await page.addScriptTag({ content: axe })
    await fetch(`${url}/stg/us/guest/zipCode?zipCode=1`, { headers: asGuest() })
    await fetch(`${url}/_control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ match: { operation: 30 }, respond: { status: 503 } }),
    })
    await fetch(`${url}/_control/examination`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(examinationOperations.publishExamination.example.body),
    })
    for (const view of views) {
      await turnTo(page, `#/${view}`)
      await page.locator('main :is(h1, h2):visible').first().waitFor()
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      if (view.startsWith('cases')) {
        await page
          .getByLabel('Open a case…')
          .setInputFiles(join(import.meta.dirname, '../../tools/cases/month-end.jsonl'))
        await page.getByRole('button', { name: 'Replay to here' }).click()
        await page.getByText('2 of 11 steps').waitFor({ state: 'attached' })
      }
      await look(page, view)
    }
  }

  test('each view fits the window without axe violations in wide, narrow, light and dark layouts', async () => {
    const found: unknown[] = []
    await openEach(async (page, view) => {
      for (const [colorScheme, width, runOnly] of looks) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 844 })
        await expectInSight(page, view, width)
        const rules = JSON.stringify({ runOnly, resultTypes: ['violations'] })
        const run = `axe.run(${rules}).then(({ violations }) => ({ violations }))`
        const { violations } = await page.evaluate<{ violations: Violation[] }>(run)
        const tell = ({ id, nodes }: Violation) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`
        found.push(...violations.map((violation) => `${view}, ${width}, ${colorScheme}: ${tell(violation)}`))
      }
    })
    expect(found).toEqual([])
  })

  /** The view must fit the window, and its clock must stay visible. On a phone, the clock scrolls with the page. */
  async function expectInSight(page: Page, view: string, width: number): Promise<void> {
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate<number>(overflow), view).toBe(0)
    if (width > TELEPHONE) await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const clock = (await page.locator('header time').boundingBox())!
    expect(clock.y, view).toBeGreaterThanOrEqual(0)
    expect(clock.x + clock.width, view).toBeLessThanOrEqual(width)
    // Scrolls to the top, because a link that the header partly covers would count as too small.
    await page.evaluate('scrollTo(0, 0)')
  }

  test('the layout does not shift while a view loads and requests arrive', async () => {
    const { page, url } = await openConsole('overview')
    await page.addInitScript(`new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shifted = (window.shifted ?? 0) + value
    }).observe({ type: 'layout-shift', buffered: true })`)
    for (const view of views) {
      // The query is different for each view, because a different hash would not load the page again.
      await page.goto(`${url}/_console?${view}#/${view}`)
      await waitUntilLive(page)
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      for (let i = 0; i < 3; i++) await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
      if (view === 'overview' || view === 'requests/1')
        await page.getByRole('table', { name: 'Journal' }).getByRole('link').nth(2).waitFor()
      await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))')
      // Web Vitals considers a layout shift below 0.1 good.
      expect.soft(await page.evaluate<number>('window.shifted ?? 0'), view).toBeLessThan(0.05)
    }
  })
})

interface Violation {
  id: string
  nodes: { html: string }[]
}
