import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Debian's. */
const CHROMIUM = '/usr/bin/chromium'

export const hasBrowser = existsSync(CHROMIUM)

/** A browser that asks nobody outside for anything. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
