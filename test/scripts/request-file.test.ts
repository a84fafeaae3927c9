import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeRequestFile } from '../../scripts/writers/request-file.ts'
import { startVendorCloud } from '../../src/index.ts'
import { vendorOperations } from '../../src/tools/mcp/calls/operations.ts'
import { buildTestApp } from '../helpers/build-test-app.ts'

const FILE = readFileSync(join(import.meta.dirname, '../../examples/requests.http'), 'utf8')

interface FileRequest {
  title: string
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
}

/** Parses the syntax that both the REST Client of VS Code and the HTTP Client of JetBrains support. */
function parseRequests(text: string, host: string): FileRequest[] {
  return text.split(/^###/m).flatMap((part, index) => {
    if (index === 0) return []
    const [head = '', ...bodies] = part
      .replace(/^#.*\n/gm, '')
      .trim()
      .split('\n\n')
    const [title = '', line = '', ...fields] = head.split('\n')
    const headers = Object.fromEntries(fields.map((field) => /^(\S+): (.*)$/.exec(field)!.slice(1) as [string, string]))
    const [, method = '', url = ''] = /^([A-Z]+) (\S+)$/.exec(line)!
    const body = bodies.length === 0 ? undefined : bodies.join('\n\n')
    const isForm = headers['content-type']?.startsWith('multipart/form-data')
    const sent = isForm ? `${body!.replaceAll('\n', '\r\n')}\r\n` : body
    return [{ title, method, url: url.replace('{{host}}', host), headers, body: sent }]
  })
}

test('examples/requests.http is up to date (to update the file, run `npm run openapi`)', async () => {
  const { app, worlds } = buildTestApp()
  expect(FILE).toBe(await writeRequestFile(app, worlds))
})

test('every request in examples/requests.http succeeds, and together they call every operation', async () => {
  const cloud = await startVendorCloud()
  onTestFinished(() => cloud.stop())
  const requests = parseRequests(FILE, cloud.url)
  const results: [title: string, status: number, error: string][] = []
  const names = new Set<string>()
  for (const { title, method, url, headers, body } of requests) {
    if (method === 'DELETE' && url.endsWith('/_control/worlds/requests')) {
      const { entries } = (await (await fetch(`${cloud.url}/w/requests/_control/journal?limit=100`)).json()) as {
        entries: { operation?: number | string }[]
      }
      for (const { operation } of entries) names.add(String(operation))
    }
    const controller = new AbortController()
    const { signal } = controller
    const reply = await fetch(url, { method, headers, signal, ...(body !== undefined && { body }) })
    const text = title.startsWith('Events stream') ? '' : await reply.text()
    controller.abort()
    const error = /"resultCode":"(?!0")[^"]*"|<errorCode>|:Fault/.exec(text)?.[0] ?? ''
    results.push([title, reply.status, error])
  }
  const deletes = /^(?:Delete the world|Events deleteSubscription: )/
  const failed = results.filter(
    ([title, status, error]) => status !== (deletes.test(title) ? 204 : 200) || error !== '',
  )
  expect(failed).toEqual([])
  expect([...names].toSorted()).toEqual(vendorOperations.map(({ operation }) => String(operation)).toSorted())
})
