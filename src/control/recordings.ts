import { z } from 'zod'
import { writeCase } from '../cases/case-file.ts'
import { CaseRecorder } from '../cases/recorder.ts'
import { hideSecrets } from '../cases/secrets.ts'
import { DomainError, notFound } from '../domain/errors.ts'
import { toHex } from '../domain/ids.ts'
import { takeSnapshot } from '../domain/control/snapshots.ts'
import { noContent } from '../http/zod.ts'
import type { Ports } from '../ports.ts'
import { CASE_VERSION, type CaseHeader } from '../schemas/control/case.ts'
import { instant } from '../schemas/formats.ts'
import { type ControlContext, controlOperations } from './context.ts'

interface Recording {
  ports: Ports
  recorder: CaseRecorder
  header: Omit<CaseHeader, 'tokens'>
}

const declare = controlOperations('Recordings')
const draft = z.object({ name: z.string().max(200).optional().meta({ description: 'What the case is called' }) })
const summary = z.object({ name: z.string().optional(), world: z.string(), startedAt: instant })

/** Cases: what happens in a world, written down so that it can happen again. One at a time in each world. */
export function recordings({ worlds, version, recordingLimit }: ControlContext) {
  const byWorld = new Map<string, Recording>()
  worlds.onOpen((ports) => {
    const running = byWorld.get(ports.world.name)
    if (running && running.ports !== ports) running.recorder.stop('the world was begun anew')
  })

  const end = async ({ ports }: { ports: Ports }) => {
    requireRecording(byWorld, ports).recorder.stop()
    byWorld.delete(ports.world.name)
  }
  const ending = { summary: 'End the recording; its case is gone', reply: noContent, further: [404], run: end } as const

  return [
    declare({
      operation: 'startRecording',
      route: 'POST /_control/recordings',
      summary: 'Record what happens in the world from now on, as a case that can be replayed',
      body: draft.optional(),
      optionalBody: true,
      reply: summary,
      further: [400, 409],
      run: async ({ ports, body }) => {
        if (ports.recorder) throw isRecorded()
        const recording = await begin(ports, version, body?.name, recordingLimit)
        byWorld.set(ports.world.name, recording)
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
        const recording = requireRecording(byWorld, ports)
        const text = await recording.recorder.alone(async () => writeRecording(recording))
        return reply.type('application/jsonl; charset=utf-8').serializer(asItIs).send(text)
      },
    }),

    declare({ operation: 'endRecording', route: 'DELETE /_control/recordings/current', ...ending }),
    declare({ operation: 'endRecordings', route: 'DELETE /_control/recordings', ...ending }),
  ]
}

async function begin(ports: Ports, version: string, name?: string, largest?: number): Promise<Recording> {
  const seed = toHex(await ports.random.bytes('recording', 16))
  // Two that begin at once: the first has it.
  if (ports.recorder) throw isRecorded()
  const recorder = new CaseRecorder(ports, seed, largest)
  try {
    return await recorder.alone(async () => {
      const start = new Date(ports.clockControl.read().now).toISOString()
      const { seed: _own, ...snapshot } = await takeSnapshot(ports)
      await recorder.countMails()
      const header = {
        case: CASE_VERSION as typeof CASE_VERSION,
        version,
        ...(name !== undefined && { name }),
        world: ports.world.name,
        ...(ports.world.publicUrl !== undefined && { publicUrl: ports.world.publicUrl }),
        start,
        seed,
        head: ports.bus.head(),
        snapshot: { ...snapshot, seed, clock: { frozenAt: start } },
      }
      return { ports, recorder, header }
    })
  } catch (error) {
    recorder.stop()
    throw error
  }
}

function writeRecording({ ports, recorder, header }: Recording): string {
  const hidden = hideSecrets(header, recorder.steps(), {
    sha256: ports.digests.sha256,
    isPublished: (digest) => ports.published.has(digest),
    issued: recorder.issued,
  })
  return writeCase({ ...hidden, ended: recorder.ended })
}

function requireRecording(byWorld: ReadonlyMap<string, Recording>, { world }: Ports): Recording {
  const recording = byWorld.get(world.name)
  if (!recording) throw notFound('nothing is recorded in this world')
  return recording
}

const isRecorded = () => new DomainError('conflict', 'the world is recorded already')

const asItIs = (text: unknown): string => text as string
