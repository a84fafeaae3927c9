// The first step of report/action.yml: saves the case and page of each recorded world next to the log. Errors are
// warnings, so it fails no job.
import { execFile } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

/** The maximum number of worlds, and milliseconds for a response or a page. */
const MOST = 200
const PATIENCE = 60_000

const { VENDOR_CLOUD_URL: url, VENDOR_CLOUD_HOME: home, VENDOR_CLOUD_LOG: log, CONTROL_KEY: key } = process.env
const folder = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), 'vendor-cloud-report-'))
if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `folder=${folder}\n`)

if (!url || !home) warn('no server was started in this job: run the action vendor-cloud before vendor-cloud/report')
else {
  if (log && existsSync(log)) copyFileSync(log, join(folder, 'server.log'))
  try {
    for (const name of await listWorlds()) await writeCase(name)
  } catch (error) {
    warn(`the server at ${url} did not return its recordings: ${error.cause?.message ?? error.message}`)
  }
}
const pages = readdirSync(folder).filter((name) => name.endsWith('.html'))
process.stdout.write(`${pages.length} pages of recorded worlds in ${folder}\n`)

async function listWorlds() {
  const reply = await ask('/_control/worlds')
  if (!reply.ok) throw new Error(`it returned ${reply.status}`)
  const { items } = await reply.json()
  return items.map(({ name }) => name).slice(0, MOST)
}

/** Writes nothing for a world that has no recording or received no request. */
async function writeCase(name) {
  const reply = await ask(`/w/${name}/_control/recordings/current`)
  if (!reply.ok) return
  const text = await reply.text()
  const file = join(folder, `${name}.jsonl`)
  writeFileSync(file, text)
  const words = [join(home, 'dist/main.js'), 'case', 'show', file, '--out', join(folder, `${name}.html`)]
  const failed = await promisify(execFile)(process.execPath, words, { timeout: PATIENCE }).catch((error) => error)
  if (failed instanceof Error) warn(`the case of ${name} has no page: ${failed.stderr || failed.message}`)
}

function ask(path) {
  return fetch(url + path, { headers: key ? { 'x-control-key': key } : {}, signal: AbortSignal.timeout(PATIENCE) })
}

function warn(message) {
  process.stdout.write(`::warning title=vendor-cloud::${message.replaceAll('%', '%25').replaceAll('\n', '%0A')}\n`)
}
