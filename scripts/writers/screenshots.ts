// Takes the screenshots of the console for the README, from a server with its own world: `npm run screenshots`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Page } from 'playwright-core'
import { runCommand } from '../../src/cli/run.ts'
import { readConfig } from '../../src/server/config.ts'
import { startServer } from '../../src/server/server.ts'
import { launchBrowser } from './browser.ts'
import { build } from '../build/build.mjs'
import { furnish } from './screenshots-world.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/images')

interface Shot {
  name: string
  /** The view to open, with IDs of the prepared world. */
  hash: string
  width?: number
  dark?: boolean
  prepare?: (page: Page) => Promise<unknown>
}

if (!(await build(ROOT))) process.exit(1)
const server = await startServer(readConfig({}, { PORT: '0', LOG_LEVEL: 'silent' }))
const browser = await launchBrowser()
const world = await furnish(server.url, await drawPicture())
mkdirSync(FOLDER, { recursive: true })

const shots: Shot[] = [
  { name: 'overview', hash: 'overview', prepare: world.stirDevices },
  { name: 'requests', hash: `requests/${world.refusedEntry}` },
  { name: 'clock', hash: 'clock' },
  { name: 'outbox', hash: `mail/${world.messageId}` },
  { name: 'billing', hash: 'billing/purchase-tiered' },
  { name: 'tickets', hash: `tickets/${world.srid}`, prepare: (page) => page.getByText(world.srid).first().waitFor() },
  { name: 'wallet', hash: 'wallet', prepare: (page) => page.getByRole('button', { name: 'Check card' }).click() },
  { name: 'faults', hash: 'faults' },
  { name: 'worlds', hash: 'worlds' },
  { name: 'coverage', hash: 'coverage' },
  { name: 'case', hash: 'cases/5', prepare: replayCase },
  { name: 'examination', hash: 'examination', prepare: watchExamination },
  { name: 'data', hash: 'data/customers:1000000001' },
  { name: 'devices', hash: 'devices', prepare: openStream },
  { name: 'overview-dark', hash: 'overview', dark: true, prepare: world.stirDevices },
  { name: 'requests-dark', hash: `requests/${world.refusedEntry}`, dark: true },
  { name: 'requests-phone', hash: 'requests', width: 390 },
  { name: 'case-phone', hash: 'cases', width: 390, prepare: openCase },
  { name: 'devices-phone', hash: 'devices', width: 390, dark: true },
]

const [only] = process.argv.slice(2)
for (const shot of shots.filter(({ name }) => !only || name.startsWith(only))) await take(shot)
await browser.close()
await world.leave()
await server.close()

async function take({ name, hash, width = 1280, dark = false, prepare }: Shot): Promise<void> {
  const page = await browser.newPage({
    viewport: { width, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  await page.goto(`${server.url}${world.path}/_console#/${hash}`)
  await page.getByRole('status').getByText('Live').waitFor()
  await page.waitForLoadState('load')
  await prepare?.(page)
  // All content has been loaded when there is no loading indicator left.
  await page.locator('.loading').waitFor({ state: 'detached' })
  await page.waitForTimeout(700)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 62 })
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(data, 'base64'))
  if (process.env['PNG']) await page.screenshot({ path: join(process.env['PNG'], `${name}.png`) })
  await page.close()
}

/** Draws an image like one that a customer might upload: a phone with a crack. */
async function drawPicture(): Promise<Uint8Array<ArrayBuffer>> {
  const page = await browser.newPage({ viewport: { width: 320, height: 240 } })
  await page.setContent(`<body style="margin:0;background:#c9d2cf"><svg viewBox="0 0 320 240" width="320" height="240">
    <rect x="105" y="12" width="110" height="216" rx="16" fill="#1d2422"/>
    <rect x="113" y="26" width="94" height="186" rx="4" fill="#31545c"/>
    <path d="M150 60l14 30-22 24 30 18-16 40M164 90l34-14M142 114l-26 8M172 132l32 22" fill="none" stroke="#e9f2f0" stroke-width="2"/>
  </svg></body>`)
  const picture = await page.screenshot()
  await page.close()
  return new Uint8Array(picture)
}

async function openCase(page: Page): Promise<void> {
  await page.getByLabel('Open a case…').setInputFiles(join(ROOT, 'test/tools/cases/month-end.jsonl'))
  await page.getByRole('heading', { name: 'month-end' }).waitFor()
}

async function replayCase(page: Page): Promise<void> {
  await openCase(page)
  await page.getByRole('button', { name: 'Replay to here' }).click()
  await page.getByText('5 of 11 steps').waitFor()
}

/** Examines a client that retries errors too quickly, and takes the screenshot during the examination. */
async function watchExamination(page: Page): Promise<void> {
  const script = `
    const { VENDOR_CLOUD_URL: url, VENDOR_CLOUD_PARTNER_CODE: partnerCode } = process.env
    const ask = (model) => fetch(url + '/wallet/cmn/v2.0/device/available?serviceType=WALLET&modelName=' + model, { headers: { partnerCode } })
    const { available } = await (await ask('VM-S100')).json()
    if (available) await ask('VM-S200')`
  const client = ['--', process.execPath, '--input-type=module', '-e', script]
  const words = ['examine', '--only', 'wallet', '--seed', 'demo', '--timeout', '2', ...client]
  const link = await new Promise<string>((resolve) => {
    const stderr = { write: (text: string) => resolve(/http\S+/.exec(text)?.[0] ?? ''), isTTY: true }
    void runCommand(words, { stdout: { write: () => true }, stderr })
  })
  await page.goto(link)
  await page.getByText(/[1-4] of \d+ scenarios done/).waitFor()
}

async function openStream(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open test stream' }).click()
  await page.getByText('CONTROL_EVENT  welcome').waitFor()
  await page
    .getByRole('article', { name: 'Living room light' })
    .getByRole('button', { name: /^(on|off)$/ })
    .click()
  await page.getByRole('article', { name: 'Hall motion sensor' }).getByRole('button', { name: 'inactive' }).click()
  await page.getByText('motion: active').first().waitFor()
}
