import { Readable } from 'node:stream'
import { z } from 'zod'
import { beginRecording, type Recording, writeRecording } from '../../trace/recording.ts'
import { notFound } from '../../domain/errors.ts'
import { noContent } from '../../../contract/operation.ts'
import type { Ports } from '../../ports.ts'
import { recordingStart } from '../../../contract/records/control/case.ts'
import { type ControlContext, controlOperations } from '../context.ts'

const declare = controlOperations('Recordings')
const draft = z.strictObject({ name: z.string().max(200).optional().meta({ description: 'What the case is called' }) })

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
  const ending = { summary: 'End the recording; its case is gone', reply: noContent, further: [404], run: end } as const

  return [
    declare({
      operation: 'startRecording',
      route: 'POST /_control/recordings',
      summary: 'Record what happens in the world from now on, as a case that can be replayed',
      body: draft.optional(),
      optionalBody: true,
      reply: recordingStart,
      further: [400, 409],
      run: async ({ ports, body }) => {
        const recording = await beginRecording(ports, version, body?.name)
        byWorld.set(ports, recording)
        const { name, world, start } = recording.header
        return { ...(name !== undefined && { name }), world, startedAt: start }
      },
    }),

    declare({
      operation: 'getRecording',
      route: 'GET /_control/recordings/current',
      summary: 'The case so far: a header, then a line a step; secrets are left out',
      produces: ['application/jsonl'],
      reply: z.string().meta({ description: 'JSON Lines' }),
      further: [404],
      run: async ({ ports }, reply) => {
        const pieces = gather(writeRecording(requireRecording(byWorld, ports)))
        return reply.type('application/jsonl; charset=utf-8').send(Readable.from(pieces) as never)
      },
    }),

    declare({ operation: 'endRecording', route: 'DELETE /_control/recordings/current', ...ending }),
    declare({ operation: 'endRecordings', route: 'DELETE /_control/recordings', ...ending }),
  ]
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
