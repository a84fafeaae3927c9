import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../helpers/server-process.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { requirePrograms } from './programs.ts'

requirePrograms('prlimit')

const PICTURE = readFileSync(join(import.meta.dirname, '../../helpers/images/picture.png'))
const picture = (more: number) => new Blob([PICTURE, new Uint8Array(more)])

test('an image upload to a full disk stores nothing and succeeds once there is space', async () => {
  const folder = join(makeTemporaryFolder(), 'data')
  const server = await startProcess({ DATA_DIR: folder })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const { url } = server
  const reply = await fetch(`${url}/_control/records/tickets?limit=100`)
  const { items } = (await reply.json()) as { items: { srid: string; images: unknown[] }[] }
  const { srid } = items.find(({ images }) => images.length === 0)!
  const kept = async () => {
    const page = await fetch(`${url}/_control/records/symptomImages?limit=1`)
    return ((await page.json()) as { totalCount: number }).totalCount
  }
  const before = await kept()
  const upload = async (size: number) => {
    const form = new FormData()
    form.append('imageFile', picture(size), 'a.png')
    const address = `${url}/stg/us/guest/serviceRequest/asset/symptomImage?srid=${srid}`
    return (await fetch(address, { method: 'POST', headers: { 'request-source': 'vendor.com' }, body: form })).status
  }
  const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(server.process.pid), `--fsize=${bytes}`])
  limit('4000000:unlimited')
  expect(await upload(4_500_000)).toBeGreaterThanOrEqual(500)
  expect(await kept()).toBe(before)
  expect((await fetch(`${url}/_control/records/tickets/${srid}`)).status).toBe(200)
  expect(await upload(1000)).toBe(200)
  limit('unlimited:unlimited')
  expect(await upload(4_500_000)).toBe(200)
  expect(await kept()).toBe(before + 2)
})
