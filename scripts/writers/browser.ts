import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Browsers of Debian. The headless one needs half as much CPU time. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))

export function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('there is no chromium-headless-shell or chromium in /usr/bin')
  return chromium.launch({
    executablePath,
    // Otherwise, Playwright would end this process on SIGINT, even if a test emits SIGINT to test a command.
    handleSIGINT: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Uses one process for drawing and one for all pages. By default, each page would start its own processes.
      '--in-process-gpu',
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
