import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../helpers/server-process.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const PICTURE = readFileSync(join(import.meta.dirname, '../../helpers/images/picture.png'))

/** Starts a server with a limited file size, which has the same effect as a full disk. */
async function startWithRoom(folder: string, bytes?: number) {
  const limit = `ulimit -S -f ${(bytes ?? 0) / 512} && exec "$@"`
  const before = bytes === undefined ? [] : ['sh', '-c', limit, 'sh']
  const server = await startProcess({ DATA_DIR: folder }, { before })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  return server
}

const address = (url: string, name: string) => `${url}/_control/records/settings/${name}`

async function put(url: string, name: string) {
  const body = JSON.stringify({ name, value: 'x'.repeat(100_000) })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(address(url, name), { method: 'PUT', headers, body })
  return { status: reply.status, text: await reply.text() }
}

test('a write to a full disk is rejected, and stored data survives a restart', async () => {
  const folder = join(makeTemporaryFolder(), 'data')
  const server = await startWithRoom(folder, 8_000_000)
  const kept: string[] = []
  let refused: Awaited<ReturnType<typeof put>> | undefined
  while (!refused) {
    const reply = await put(server.url, `n${kept.length}`)
    if (reply.status === 200) kept.push(`n${kept.length}`)
    else refused = reply
  }
  expect(kept.length).toBeGreaterThan(10)
  expect(refused.status).toBeGreaterThanOrEqual(500)
  expect(JSON.parse(refused.text).error.code).toBe('ServiceUnavailableError')
  expect((await fetch(address(server.url, `n${kept.length}`))).status).toBe(404)
  for (const name of kept) expect((await fetch(address(server.url, name))).status).toBe(200)
  await server.stop('SIGKILL')

  const { url } = await startWithRoom(folder)
  expect((await put(url, 'again')).status).toBe(200)
  for (const name of [...kept, 'again']) expect((await fetch(address(url, name))).status).toBe(200)
})

test('an image upload to a full disk stores nothing and succeeds after a restart', async () => {
  const folder = join(makeTemporaryFolder(), 'data')
  const server = await startWithRoom(folder, 4_000_256)
  const reply = await fetch(`${server.url}/_control/records/tickets?limit=100`)
  const { items } = (await reply.json()) as { items: { srid: string; images: unknown[] }[] }
  const { srid } = items.find(({ images }) => images.length === 0)!
  const kept = async (url: string) => {
    const page = await fetch(`${url}/_control/records/symptomImages?limit=1`)
    return ((await page.json()) as { totalCount: number }).totalCount
  }
  const before = await kept(server.url)
  const upload = async (url: string, size: number) => {
    const form = new FormData()
    form.append('imageFile', new Blob([PICTURE, new Uint8Array(size)]), 'a.png')
    const query = `/stg/us/guest/serviceRequest/asset/symptomImage?srid=${srid}`
    return (await fetch(url + query, { method: 'POST', headers: { 'request-source': 'vendor.com' }, body: form }))
      .status
  }
  expect(await upload(server.url, 4_500_000)).toBeGreaterThanOrEqual(500)
  expect(await kept(server.url)).toBe(before)
  expect((await fetch(`${server.url}/_control/records/tickets/${srid}`)).status).toBe(200)
  expect(await upload(server.url, 1000)).toBe(200)
  await server.stop('SIGKILL')

  const { url } = await startWithRoom(folder)
  expect(await upload(url, 4_500_000)).toBe(200)
  expect(await kept(url)).toBe(before + 2)
})
