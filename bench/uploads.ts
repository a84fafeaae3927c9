/**
 * Measures the CPU time per upload of a 4 MB image against a node:http server that only reads the body. Limit: 5.5.
 * Goal: 5.0.
 * Run: npx tsx bench/uploads.ts
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import fastify from 'fastify'
import { multipartType, newImageForm } from '../test/helpers/documents/multipart.ts'
import { newTicket } from '../test/helpers/records.ts'
import type { Worlds } from '../src/server/ports/worlds.ts'
import { ourServer } from './harness/our-server.ts'
import { print, report, type Server, serveInChild, spreadOf, startServer } from './harness/side-by-side.ts'

const path = '/stg/us/guest/serviceRequest/asset/symptomImage?srid='
const headers = { 'request-source': 'vendor.com', 'content-type': multipartType }
/** Additional bytes after the end of an image are allowed. */
const picture = readFileSync(join(import.meta.dirname, '../test/helpers/images/picture.png'))
const body = newImageForm(Buffer.concat([picture], 4 * 1024 * 1024))
const rounds = 9
/** A service request accepts at most four images. */
const uploads = 40
const requests = ((rounds + 1) * uploads) / 4

function bareServer() {
  const serverFactory = () =>
    createServer((request, reply) => {
      let size = 0
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      request.on('end', () => reply.end(String(size)))
    })
  return fastify({ serverFactory })
}

function uploadServer() {
  return ourServer({ prepare: openTickets })
}

async function openTickets(worlds: Worlds): Promise<void> {
  await worlds.find('default')!.store.transaction(async (tx) => {
    for (let i = 0; i < requests; i++) {
      await tx.tickets.put(newTicket({ srid: sridOf(i), ticketNumber: String(8_000_000_000 + i) }))
    }
  })
}

function sridOf(i: number): string {
  return String(9_000_000_000 + i)
}

let sent = 0

async function measure(server: Server): Promise<number> {
  const before = await server.cpu()
  for (let i = 0; i < uploads; i++) {
    const url = server.address + path + sridOf(Math.floor((sent + i) / 4))
    const reply = await fetch(url, { method: 'POST', headers, body })
    if (reply.status !== 200) throw new Error(await reply.text())
    await reply.arrayBuffer()
  }
  return ((await server.cpu()) - before) / uploads / 1000
}

if (!(await serveInChild({ bare: bareServer, ours: uploadServer }))) {
  const bare = await startServer(import.meta.filename, 'bare')
  const ours = await startServer(import.meta.filename, 'ours')
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const [first, second] = [await measure(bare), await measure(ours)]
    sent += uploads
    // Excludes the first round, which only warms up.
    if (round > 0) ratios.push(second / first)
    print(`${first.toFixed(2)} ms bare, ${second.toFixed(2)} ms ours, ratio ${(second / first).toFixed(2)}`)
  }
  report('upload of 4 MB, CPU against a raw node:http body', spreadOf(ratios), 5.5)
  bare.stop()
  ours.stop()
}
