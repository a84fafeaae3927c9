import { Readable } from 'node:stream'
import { recordingOperations } from '../../../contract/control/recordings.ts'
import { notFound } from '../../domain/errors.ts'
import type { Ports } from '../../ports.ts'
import { beginRecording, type Recording, writeRecording } from '../../trace/recording.ts'
import { type ControlContext, implementControl } from '../context.ts'

/** Cases: what happens in a world, written down so that it can happen again. One at a time in each world. */
export function recordings({ worlds, version }: ControlContext) {
  const byWorld = new WeakMap<Ports, Recording>()
  worlds.onOpen((ports, before) => {
    const running = before && byWorld.get(before)
    if (!running) return
    running.recorder.stop('the world was begun anew')
    byWorld.set(ports, running)
  })

  const end = async ({ ports }: { ports: Ports }) => {
    requireRecording(byWorld, ports).recorder.stop()
    byWorld.delete(ports)
  }

  return implementControl(recordingOperations, {
    startRecording: async ({ ports, body }) => {
      const recording = await beginRecording(worlds, ports, { version, name: body?.name })
      byWorld.set(ports, recording)
      const { about, origin } = recording
      const { name, world } = about
      return { ...(name !== undefined && { name }), world, startedAt: origin.now }
    },

    getRecording: async ({ ports, query }, reply) => {
      const pieces = gather(writeRecording(requireRecording(byWorld, ports), query.whole ?? false))
      return reply.type('application/jsonl; charset=utf-8').send(Readable.from(pieces) as never)
    },

    endRecording: end,
    endRecordings: end,
  })
}

function requireRecording(byWorld: WeakMap<Ports, Recording>, ports: Ports): Recording {
  const recording = byWorld.get(ports)
  if (!recording) throw notFound('nothing is recorded in this world')
  return recording
}

const PIECE = 64 * 1024

async function* gather(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}
