// The second step of action.yml. Starts a server in a separate process, which GitHub ends together with the job.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

const HOME = join(import.meta.dirname, '../..')
/** Maximum milliseconds for starting the server, and for starting the recording. */
const PATIENCE = 60_000
const PAUSE = 50
const SETTING = /^([A-Z][A-Z0-9_]*)=(.*)$/

try {
  await start(process.env)
} catch (error) {
  // GitHub displays this line as an error of the step.
  process.stdout.write(`::error title=vendor-cloud::${error.message.replaceAll('%', '%25').replaceAll('\n', '%0A')}\n`)
  process.exitCode = 1
}

async function start({ INPUT_PORT = '8080', INPUT_SETTINGS = '', INPUT_RECORD = 'true', RUNNER_TEMP = tmpdir() }) {
  const settings = readSettings(INPUT_SETTINGS)
  const key = settings.CONTROL_KEY
  if (key) process.stdout.write(`::add-mask::${key}\n`)
  const folder = mkdtempSync(join(RUNNER_TEMP, 'vendor-cloud-'))
  const [log, ready] = ['server.log', 'ready.json'].map((name) => join(folder, name))
  const { url, server } = await listen(settings, INPUT_PORT, log, ready)
  try {
    if (INPUT_RECORD === 'true') await record(url, key)
  } catch (error) {
    server.kill('SIGKILL')
    throw error
  }
  tell('GITHUB_OUTPUT', { url, log })
  // The library and its test runners create their worlds on this server and use its key.
  const own = { VENDOR_CLOUD_URL: url, VENDOR_CLOUD_HOME: HOME, VENDOR_CLOUD_LOG: log }
  tell('GITHUB_ENV', key ? { ...own, CONTROL_KEY: key } : own)
  process.stdout.write(`vendor-cloud listens on ${url}\n`)
}

function readSettings(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const read = lines.filter(Boolean).map((line) => {
    const [, name, value] = SETTING.exec(line) ?? []
    // The error does not contain the line, because the line may contain a secret.
    if (name === undefined) throw new Error('a line of settings is not NAME=value')
    return [name, value]
  })
  return Object.fromEntries(read)
}

/**
 * Resolves with the process and the URL when the server listens. If the process ends before that, rejects with its
 * output.
 */
async function listen(settings, port, log, ready) {
  const output = openSync(log, 'a')
  const child = spawn(process.execPath, [join(HOME, 'dist/main.js'), 'serve', '--port', port, '--ready-file', ready], {
    env: { ...process.env, ...settings },
    detached: true,
    stdio: ['ignore', output, output],
  })
  let hasEnded = false
  child.once('exit', () => (hasEnded = true))
  for (const end = Date.now() + PATIENCE; Date.now() < end; await wait(PAUSE)) {
    if (hasEnded) throw new Error(`the server did not start:\n${readFileSync(log, 'utf8').slice(-4000)}`)
    const url = existsSync(ready) && readAddress(ready)
    if (url) {
      child.unref()
      return { url, server: child }
    }
  }
  child.kill('SIGKILL')
  throw new Error(`the server was not ready after ${PATIENCE / 1000} s`)
}

/** Returns undefined while the server is still writing the file. */
function readAddress(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).url
  } catch {
    return undefined
  }
}

async function record(url, key) {
  const reply = await fetch(`${url}/_control/recordings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { 'x-control-key': key }) },
    body: JSON.stringify({ name: 'the default world of a job' }),
    signal: AbortSignal.timeout(PATIENCE),
  })
  if (!reply.ok)
    throw new Error(
      `recording failed with status ${reply.status}. With CONTROL=off, set record to false. With HOST, set CONTROL_KEY`,
    )
}

/** Passes values of one line each to later steps. Outside of GitHub, nothing is written. */
function tell(file, values) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  if (process.env[file]) appendFileSync(process.env[file], lines.join(''))
}
