import { ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServerProcess, startProcess } from '../../helpers/server-process.ts'

const PICTURE = readFileSync(join(import.meta.dirname, '../../helpers/images/picture.png'))

export interface Crashes {
  rounds: number
  writers: number
  acknowledged: number
  images: number
}

/**
 * In each round, starts a server on the same data directory, checks everything that was acknowledged, writes with
 * several clients, and kills the server with `kill -9`. Throws if acknowledged data is lost or a change is incomplete.
 */
export async function crashAgainAndAgain(directory: string, rounds: number, writers: number): Promise<Crashes> {
  const acknowledged = new Map<string, string>()
  const images = new Map<string, string>()
  for (let round = 0; round <= rounds; round++) {
    const server = await startProcess({ DATA_DIR: directory, RATE_LIMIT: '' })
    await checkAll(server, acknowledged, images)
    if (round < rounds) await writeAndCrash(server, round, writers, acknowledged, images)
    else await server.stop('SIGTERM')
  }
  return { rounds, writers, acknowledged: acknowledged.size, images: images.size }
}

async function writeAndCrash(
  { url, stop }: ServerProcess,
  round: number,
  writers: number,
  acknowledged: Map<string, string>,
  images: Map<string, string>,
): Promise<void> {
  const requests = await readAll(url, 'tickets')
  const until = writers * (5 + (round % 7) * 8)
  let reached = () => {}
  // In each round, kills the server at a different point while it is writing.
  const enough = new Promise<void>((resolve) => {
    reached = resolve
  })
  let count = 0
  const write = async (writer: number) => {
    for (let i = 0; ; i++) {
      const name = `r${round}-w${writer}-${i}`
      const value = `${name} `.repeat(1 + (i % 50))
      const reply = await put(`${url}/_control/records/settings/${name}`, { name, value })
      if (reply?.ok) acknowledged.set(name, value)
      const request = requests[(writer + i * writers) % requests.length]!
      const image = i % 5 === 0 ? await upload(url, String(request['srid']), name) : undefined
      if (image) images.set(image, String(request['srid']))
      if (!reply) return
      if (++count === until) reached()
    }
  }
  const all = Array.from({ length: writers }, (_, writer) => write(writer))
  await enough
  await stop('SIGKILL')
  await Promise.all(all)
}

async function checkAll(
  { url }: ServerProcess,
  acknowledged: ReadonlyMap<string, string>,
  images: ReadonlyMap<string, string>,
): Promise<void> {
  const settings = new Map((await readAll(url, 'settings')).map(({ name, value }) => [name, value]))
  for (const [name, value] of acknowledged) ok(settings.get(name) === value, `lost: ${name}`)

  // An image consists of a record and an entry in its service request. Either both must exist, or neither.
  const kept = new Map((await readAll(url, 'symptomImages')).map(({ imageId, srid }) => [String(imageId), srid]))
  for (const [imageId, srid] of images) ok(kept.get(imageId) === srid, `lost: image ${imageId}`)
  const tickets = await readAll(url, 'tickets')
  const listed = tickets.flatMap(({ images }) => (images as { imageId: string }[]).map(({ imageId }) => imageId))
  const inStore = await readAll(url, 'inStoreRequests')
  listed.push(...inStore.flatMap(({ images }) => (images as { imageId: string }[]).map(({ imageId }) => imageId)))
  ok([...kept.keys()].sort().join() === listed.sort().join(), 'an image is half there')
}

async function readAll(url: string, collection: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (;;) {
    const reply = await fetch(`${url}/_control/records/${collection}?limit=100&offset=${all.length}`)
    const { items, totalCount } = (await reply.json()) as { items: Record<string, unknown>[]; totalCount: number }
    all.push(...items)
    if (all.length >= totalCount) return all
  }
}

async function put(url: string, body: unknown): Promise<Response | undefined> {
  const request = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const reply = await fetch(url, request).catch(() => undefined)
  return reply?.text().then(
    () => reply,
    () => undefined,
  )
}

async function upload(url: string, srid: string, salt: string): Promise<string | undefined> {
  const body = new FormData()
  body.append('imageFile', new Blob([PICTURE, salt]), 'picture.png')
  const address = `${url}/stg/us/guest/serviceRequest/asset/symptomImage?srid=${srid}`
  const request = { method: 'POST', headers: { 'request-source': 'vendor.com' }, body }
  const reply = await fetch(address, request)
    .then(async (response) => (response.ok ? ((await response.json()) as { imageId: string }) : undefined))
    .catch(() => undefined)
  return reply?.imageId
}
