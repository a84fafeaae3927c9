import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parseCase } from '../../../src/contract/files/case.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { requirePrograms } from './programs.ts'

requirePrograms('curl', 'python3', 'php', 'go', 'javac', 'java', 'keytool')

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
const HOST = 'support.vendor.example'
const URL_OF_CLIENT = `https://${HOST}/stg/us/guest/zipCode?zipCode=07660`

/** Starts a proxy or a server in a separate process. Reads its URL from its output. */
async function start(...args: string[]) {
  const child = spawn(process.execPath, ['dist/main.js', ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece))
  await expect.poll(() => /https?:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0], { timeout: 20_000, interval: 20 }).toBeTruthy()
  return { child, url: /https?:\/\/127\.0\.0\.1:\d+/.exec(said)![0] }
}

/** The URL is fixed in each client, and no client has settings for a proxy. */
const python = `import urllib.request
request = urllib.request.Request('${URL_OF_CLIENT}', headers={'request-source': 'vendor.com'})
print(urllib.request.urlopen(request).read().decode())
`
const node = `const reply = await fetch('${URL_OF_CLIENT}', { headers: { 'request-source': 'vendor.com' } })
console.log(await reply.text())
`
const go = `package main
import ("fmt"; "io"; "net/http")
func main() {
  request, _ := http.NewRequest("GET", "${URL_OF_CLIENT}", nil)
  request.Header.Set("request-source", "vendor.com")
  reply, err := http.DefaultClient.Do(request)
  if err != nil { panic(err) }
  body, _ := io.ReadAll(reply.Body)
  fmt.Println(string(body))
}
`
const java = `import java.net.*;
public class Client {
  public static void main(String[] args) throws Exception {
    URLConnection connection = new URL("${URL_OF_CLIENT}").openConnection();
    connection.setRequestProperty("request-source", "vendor.com");
    System.out.println(new String(connection.getInputStream().readAllBytes()));
  }
}
`
const php = `<?php
// PHP reads the proxy from its default context. A separate file sets this context before the client runs.
echo file_get_contents('${URL_OF_CLIENT}', false, stream_context_get_default());
`
const phpSetting = (proxy: string, ca: string) => `<?php
stream_context_set_default([
  'http' => ['proxy' => '${proxy.replace('http', 'tcp')}', 'header' => 'request-source: vendor.com'],
  'ssl' => ['cafile' => '${ca}'],
]);
`

type Client = (folder: string, proxy: string, ca: string) => Promise<{ stdout: string }>

function write(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const withEnvironment = (more: Record<string, string>) => ({ env: { ...process.env, ...more } })
const clients: Readonly<Record<string, Client>> = {
  curl: (_, proxy, ca) =>
    run('curl', ['-sS', '-x', proxy, '--cacert', ca, '-H', 'request-source: vendor.com', URL_OF_CLIENT]),
  Python: (folder, proxy, ca) =>
    run('python3', [write(folder, 'client.py', python)], withEnvironment({ HTTPS_PROXY: proxy, SSL_CERT_FILE: ca })),
  Node(folder, proxy, ca) {
    const undici = pathToFileURL(join(ROOT, 'node_modules/undici/index.js')).href
    const setting = `import undici from '${undici}'\nundici.setGlobalDispatcher(new undici.ProxyAgent('${proxy}'))\n`
    const given = ['--import', pathToFileURL(write(folder, 'setting.mjs', setting)).href]
    return run(
      process.execPath,
      [...given, write(folder, 'client.mjs', node)],
      withEnvironment({ NODE_EXTRA_CA_CERTS: ca }),
    )
  },
  Go(folder, proxy, ca) {
    const given = { HTTPS_PROXY: proxy, SSL_CERT_FILE: ca, GO111MODULE: 'off', GOCACHE: join(folder, 'cache') }
    return run('go', ['run', write(folder, 'client.go', go)], withEnvironment(given))
  },
  async Java(folder, proxy, ca) {
    const { hostname, port } = new URL(proxy)
    await run('javac', ['-d', folder, write(folder, 'Client.java', java)])
    const store = ['-keystore', join(folder, 'trust.p12'), '-storepass', 'changeit']
    await run('keytool', ['-importcert', '-noprompt', '-alias', 'vendor-cloud', '-file', ca, ...store])
    const given = {
      'https.proxyHost': hostname,
      'https.proxyPort': port,
      'javax.net.ssl.trustStore': join(folder, 'trust.p12'),
      'javax.net.ssl.trustStorePassword': 'changeit',
    }
    return run('java', [...Object.entries(given).map(([name, value]) => `-D${name}=${value}`), '-cp', folder, 'Client'])
  },
  PHP(folder, proxy, ca) {
    const setting = write(folder, 'setting.php', phpSetting(proxy, ca))
    return run('php', ['-d', `auto_prepend_file=${setting}`, write(folder, 'client.php', php)])
  },
}

test.each(Object.keys(clients))(
  'an unmodified client with a hard-coded address works over HTTPS through the proxy: %s',
  async (name) => {
    const folder = makeTemporaryFolder()
    const ca = join(folder, 'ca')
    const { url } = await start('proxy', '--host', HOST, '--listen', '127.0.0.1:0', '--ca', ca)
    const { stdout } = await clients[name]!(folder, url, join(ca, 'authority-certificate.pem'))
    expect(JSON.parse(stdout)).toMatchObject({ city: 'Ridgefield Park' })
  },
)

test('a recording of a killed proxy can be read up to its last line', async () => {
  const away = makeTemporaryFolder()
  const [out, ca] = [join(away, 'killed.jsonl'), join(away, 'ca')]
  const upstream = await start('serve', '--port', '0', '--host', '127.0.0.1')
  const where = ['--host', HOST, '--listen', '127.0.0.1:0', '--ca', ca]
  const record = ['--mode', 'record', '--upstream', upstream.url, '--out', out, '--rate', '9999']
  const { child, url } = await start('proxy', ...where, ...record)
  expect(statSync(join(ca, 'authority.pem')).mode & 0o077).toBe(0)
  const ask = () =>
    run('curl', [
      '-sS',
      '-x',
      url,
      '--cacert',
      join(ca, 'authority-certificate.pem'),
      '-H',
      'request-source: vendor.com',
      '-H',
      'authorization: Bearer CANARY-0123456789',
      `${URL_OF_CLIENT}&n=[1-200]`,
    ]).catch(() => {})
  const asking = ask()
  await expect
    .poll(() => readFileSync(out, 'utf8').split('\n').length, { timeout: 20_000, interval: 5 })
    .toBeGreaterThan(20)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await asking
  const text = readFileSync(out, 'utf8')
  expect(text).not.toContain('CANARY')
  const { steps } = parseCase(text)
  expect(steps.length).toBeGreaterThanOrEqual(19)
  expect(parseCase(`${text}{"step":9`).steps).toHaveLength(steps.length)
  const { stdout } = await run(process.execPath, ['dist/main.js', 'replay', out], { cwd: ROOT })
  expect(stdout).toContain('the same')
  const again = run(
    process.execPath,
    ['dist/main.js', 'proxy', '--mode', 'record', '--host', HOST, '--ca', ca, '--upstream', upstream.url, '--out', out],
    { cwd: ROOT },
  )
  await expect(again).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('file already exists') })
})
