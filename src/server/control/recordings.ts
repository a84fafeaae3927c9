import { Readable } from 'node:stream'
import { recordingOperations } from '#contract/control/recordings.ts'
import { gather, signalWhileHeard } from '../http/connection/client-left.ts'
import type { Ports } from '../ports.ts'
import { writeRecording } from '../recording/recording.ts'
import { type ControlContext, implementControl } from './context.ts'
import type { StoredRecordings } from '../recording/recording.ts'

/** A world has at most one recording at a time. */
export function recordings({ version }: ControlContext, kept: StoredRecordings) {
  const end = async ({ ports }: { ports: Ports }) => kept.end(ports)

  return implementControl(recordingOperations, {
    startRecording: async ({ ports, body }) => {
      const { about, origin } = await kept.begin(ports, { version, name: body?.name })
      const { name, world } = about
      return { ...(name !== undefined && { name }), world, startedAt: origin.now }
    },

    getRecording: async (request, reply) => {
      const recording = kept.require(request.ports)
      const signal = signalWhileHeard(request, reply)
      const sellers = (await request.ports.store.sellers.find()).map(({ secret }) => secret)
      const isComplete = request.query.whole ?? false
      const pieces = gather(writeRecording(recording, { isComplete, sellers, signal }))
      return reply.type('application/jsonl; charset=utf-8').send(Readable.from(pieces) as never)
    },

    endRecording: end,
    endRecordings: end,
  })
}
