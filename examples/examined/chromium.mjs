// The EventSource of Chromium, in a page that a local server provides and headless Chromium opens.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

// Paths in Debian. The headless shell starts faster.
const program = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))
const { VENDOR_CLOUD_URL: url, VENDOR_CLOUD_TOKEN: token } = process.env
const page = `<!doctype html><title>lights</title><link rel="icon" href="data:,"><script type="module">
const reply = await fetch('${url}/subscriptions', {
  method: 'POST',
  headers: { authorization: 'Bearer ${token}', 'content-type': 'application/json' },
  body: JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }),
})
const { registrationUrl } = await reply.json()
const source = new EventSource(registrationUrl)
source.addEventListener('DEVICE_EVENT', ({ data }) => document.body.append(data))
</script>`
const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page))
server.listen(0, '127.0.0.1', () => {
  const profile = mkdtempSync(join(tmpdir(), 'vendor-cloud-chromium-'))
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`]
  const address = `http://localhost:${server.address().port}/`
  const words = [...flags, '--remote-debugging-port=0', address]
  // In Debian, the program is a script that does not forward signals, so the whole process group is killed.
  const browser = spawn(program, words, { stdio: 'ignore', detached: true })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.kill(-browser.pid, 'SIGKILL'))
  browser.on('exit', () => {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    process.exit()
  })
})
