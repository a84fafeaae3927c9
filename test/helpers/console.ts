import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { launchBrowser } from '../../scripts/writers/browser.ts'
import type { Worlds } from '../../src/server/ports/worlds.ts'
import { listen, makeTestApp } from './build-test-app.ts'

/** Users open the built page, so tests use it too. `build.ts` creates it. */
export const CONSOLE = join(import.meta.dirname, '../../dist/console')

export interface OpenedConsole {
  page: Page
  server: string
  url: string
  world: string
  worlds: Worlds
  ask<T>(path: string): Promise<T>
}

/** Starting a browser takes longer than most tests, so all test files of a worker share one browser. */
let browser: Browser | undefined
let context: BrowserContext
let shared: { test: ReturnType<typeof makeTestApp>; url: string }
let opened = 0

export function useBrowser(): void {
  beforeAll(async () => {
    browser ??= await launchBrowser()
    const test = makeTestApp({ console: CONSOLE })
    shared = { test, url: await listen(test.app) }
    context = await browser.newContext({ viewport })
  })
  afterAll(async () => {
    // `context` is undefined if the browser failed to start. Only that error is then reported.
    await context?.close()
    await shared?.test.close()
  })
}

/** The clock of the world is paused. */
export async function openConsole(view: string, options: PageOptions = {}): Promise<OpenedConsole> {
  const { worlds } = shared.test
  const world = `test-${++opened}`
  await worlds.create({ name: world, seed: 'test' })
  const url = `${shared.url}/w/${world}`
  const page = await newPage(options)
  await page.goto(`${url}/_console#/${view}`)
  await waitUntilLive(page)
  const ask = async <T>(path: string) => (await (await fetch(`${url}/_control/${path}`)).json()) as T
  return { page, server: shared.url, url, world, worlds, ask }
}

export async function waitUntilLive(page: Page): Promise<void> {
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
}

/** The page's clock continues to run, so only the start of the displayed time is compared. */
export function clockAt(page: Page, time: string): Locator {
  return page.getByRole('banner').locator(`time[datetime^="${time}"]`)
}

/**
 * Confirms the question about an action. The question's first button performs the action and has the same name as the
 * button that opened the question.
 */
export async function answer(page: Page, question: string | RegExp, word: string): Promise<void> {
  await page.getByRole('group', { name: question }).getByRole('button', { name: word, exact: true }).click()
}

const viewport = { width: 1280, height: 900 }

type PageOptions = Parameters<Browser['newPage']>[0]

/** The test fails if the page throws an error, or if its content security policy blocks a request. */
export async function newPage(options: PageOptions = {}): Promise<Page> {
  const isPlain = Object.keys(options).length === 0
  const page = isPlain ? await context.newPage() : await browser!.newPage({ viewport, ...options })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) errors.push(message.text())
  })
  page.setDefaultTimeout(60_000)
  onTestFinished(async () => {
    await page.close()
    if (errors.length > 0) throw new Error(errors.join('\n'))
  })
  return page
}
