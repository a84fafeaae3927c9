import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type Case, parseCase } from '../../../src/contract/files/case.ts'
import { toPage } from '../../../src/cli/cases/show.ts'
import { toCaseView } from '../../../src/tools/cases/view/case-view.ts'
import { findFirstDifference } from '../../../src/tools/cases/view/first-difference.ts'
import { newPage, useBrowser } from '../../helpers/console.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { hostileTexts, makeHostileCase } from '../../tools/cases/view/hostile-case.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const bookings = parseCase(readFileSync(join(import.meta.dirname, '../../tools/cases/booking-race.jsonl'), 'utf8'))
const steps = Array.from({ length: 300 }, (_, i) => ({ ...bookings.steps[i % 14]!, step: i + 1 }))
const long: Case = { ...bookings, steps }

describe('the page of a case, opened from its file', () => {
  useBrowser()

  /** Fails the test if the page requests anything except its own file. */
  async function open(html: string, options: Parameters<typeof newPage>[0] = {}): Promise<Page> {
    const file = join(makeTemporaryFolder(), 'case.html')
    writeFileSync(file, html)
    const page = await newPage({ offline: true, ...options })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(pathToFileURL(file).href)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(asked).toEqual([pathToFileURL(file).href])
    return page
  }

  const rows = (page: Page) => page.getByRole('list', { name: 'Steps' }).getByRole('link')

  test('300 steps can be read with the keyboard only', async () => {
    const page = await open(toPage(toCaseView(long)))
    await expect.poll(() => rows(page).count()).toBe(300)
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const step = page.getByRole('article', { name: 'Step' })
    await step.getByText('2 of 300').waitFor()
    await page.keyboard.press('j')
    await step.getByText('3 of 300').waitFor()
    await page.keyboard.press('k')
    await step.getByText('2 of 300').waitFor()
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H2')
    await page.keyboard.press('Escape')
    await step.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.dataset.step')).toBe('2')
    await page.keyboard.press('?')
    await page.getByRole('region', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('SlotUnavailable')
    await page.getByText(/^\d+ of 300 steps$/).waitFor()
    expect(await rows(page).count()).toBeLessThan(100)
  })

  test('the page fits the window without axe violations in wide, narrow, light and dark layouts', async () => {
    const html = toPage({ ...toCaseView(long, ['A note.']), other: { name: 'other', step: 9, differences: [] } })
    const page = await open(html, { bypassCSP: true, reducedMotion: 'reduce' })
    await page.addScriptTag({ content: axe })
    for (const hash of ['#/', '#/9']) {
      await page.evaluate(`location.hash = '${hash}'`)
      if (hash !== '#/') await page.getByRole('article', { name: 'Step' }).waitFor()
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 1280],
        ['light', 390],
        ['dark', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 844 })
        const run =
          'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map((v) => v.id + " " + v.nodes[0].html))'
        expect(await page.evaluate<string[]>(run), `${hash} ${width} ${colorScheme}`).toEqual([])
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
        expect(await page.evaluate<number>(overflow), `${hash} ${width}`).toBe(0)
      }
    }
  })

  test('the case page escapes all texts of a hostile case and executes none of them', async () => {
    const hostile = makeHostileCase([...hostileTexts, 'x'.repeat(2_000_000)])
    const page = await open(toPage(toCaseView(hostile)))
    expect(await rows(page).count()).toBe(hostile.steps.length)
    for (const { step } of hostile.steps) {
      await page.evaluate(`location.hash = '#/${step}'`)
      await page.getByRole('article', { name: 'Step' }).getByText(`${step} of ${hostile.steps.length}`).waitFor()
      expect(await page.evaluate('document.querySelectorAll("#case img, #case script").length')).toBe(0)
    }
    expect(await page.evaluate('window.struck')).toBeUndefined()
  })

  test('a link opens the first step that differs in another case and shows the differences', async () => {
    const changed = JSON.stringify(bookings.steps).replaceAll('\\"lastName\\":\\"Case 3', '\\"lastName\\":\\"Case 9')
    const other = { ...bookings, steps: JSON.parse(changed) as Case['steps'] }
    const view = { ...toCaseView(bookings), other: findFirstDifference(bookings, other, 'passed.jsonl') }
    const page = await open(toPage(view))
    await page.getByRole('link', { name: 'First difference' }).click()
    const difference = page.getByRole('region', { name: 'Differences' })
    expect(await difference.innerText()).toContain('Case 9')
  })
})
