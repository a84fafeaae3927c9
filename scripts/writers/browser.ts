import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Debian's; the one without windows needs half as much CPU. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))

/** Launches a browser without access to other hosts. */
export function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('there is no chromium-headless-shell or chromium in /usr/bin')
  return chromium.launch({
    executablePath,
    // Else Playwright ends this process with it, also where a test raises it for a command.
    handleSIGINT: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // One process for what draws, one for all pages: each page would start its own.
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
