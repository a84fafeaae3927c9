import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { hasBrowser, launchBrowser } from '../../scripts/browser.ts'
import { compileConsole, copyConsole } from '../../scripts/build.mjs'
import { buildTestApp, listen, type TestApp } from './build-test-app.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Skipped where there is no browser; `.ci/run` installs one, and takes a skipped test for a failure. */
export const browserTests = { skip: !hasBrowser, timeout: 60_000 }

export interface OpenedConsole extends TestApp {
  page: Page
  url: string
  /** What the control API answers. */
  ask<T>(path: string): Promise<T>
}

let browser: Browser
let folder: string

/** Builds the console and starts a browser, once for a file of tests. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (!hasBrowser) return
    folder = await buildConsole()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    if (folder) rmSync(folder, { recursive: true })
  })
}

/** The whole server with its fixtures and a clock that stands still, and a page that shows a view of it. */
export async function openConsole(view: string, options: PageOptions = {}): Promise<OpenedConsole> {
  const test = buildTestApp({ console: folder })
  const url = await listen(test.app)
  const page = await newPage(options)
  await page.goto(`${url}/_console#/${view}`)
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
  const ask = async <T>(path: string) => (await (await fetch(`${url}/_control/${path}`)).json()) as T
  return { ...test, page, url, ask }
}

type PageOptions = Parameters<Browser['newPage']>[0]

/** Where the built console is. */
export const consoleFolder = (): string => folder

/** A page of the browser; an error in it, or something its policy stopped, fails the test. */
export async function newPage(options: PageOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) errors.push(message.text())
  })
  page.setDefaultTimeout(10_000)
  onTestFinished(async () => {
    await page.close()
    if (errors.length > 0) throw new Error(errors.join('\n'))
  })
  return page
}

async function buildConsole(): Promise<string> {
  const made = mkdtempSync(join(tmpdir(), 'vendor-cloud-console-'))
  const { outputFiles } = await compileConsole(ROOT, made)
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
  copyConsole(ROOT, made)
  return made
}
