import { parseSnapshot } from '#contract/records/snapshot-reading.ts'
import { ControlError } from '#tools/client/errors.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { clientOptions, withWorld } from './client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, readText, refuseExisting, show, UsageError, writeResult } from '../input-output.ts'
import { readJsonOrText } from '#contract/records/decoded-text.ts'

export const health = defineCommand({
  options: { live: { about: 'Check only the process, not its storage' }, ...clientOptions },
  example: 'health --url http://localhost:8080',
  async run({ values }, { stdout, stderr }) {
    const word = values.live ? 'live' : 'ready'
    try {
      await withWorld(values, (world) => world[word]())
    } catch (error) {
      if (!(error instanceof ControlError) || error.status !== 503) throw error
      stderr.write(`not ready: ${error.message}\n`)
      return exitCodes.findings
    }
    stdout.write(values.json ? `{"${word}":true}\n` : `${word}\n`)
    return exitCodes.ok
  },
})

export const emit = defineCommand({
  words: { '<DEVICE>': '', '<CAPABILITY>': '', '<ATTRIBUTE>': '', '<VALUE>': 'JSON or text' },
  options: {
    component: { takes: 'ID', about: 'Component of the device (default: main)' },
    unit: { takes: 'TEXT', about: 'Unit of the value, such as C' },
    force: { about: 'Accept an unknown capability, attribute or value' },
    ...clientOptions,
  },
  example: 'emit aaaaaaaa-0000-4000-8000-000000000001 switch switch on',
  async run({ values, words }, { stdout, stderr }) {
    const [deviceId = '', capability = '', attribute = '', value = ''] = words
    const { component, unit, force } = values
    const change = { capability, attribute, value: readJsonOrText(value), component, unit, force }
    const emitted = async (world: WorldClient) => {
      stdout.write(`${JSON.stringify(await world.events.emit(deviceId, change))}\n`)
      const { totalCount } = await world.streams.list()
      if (totalCount === 0) stderr.write('no stream is open on this instance\n')
      return exitCodes.ok
    }
    return withWorld(values, emitted, ['CAPABILITY', 'ATTRIBUTE', 'VALUE', '--component', '--unit'])
  },
})

export const advance = defineCommand({
  words: { '<DURATION>': 'ISO 8601 duration such as P31D (31 days) or PT90S (90 seconds)' },
  options: clientOptions,
  example: 'advance P31D --world demo',
  async run({ values, words: [duration = ''] }, output) {
    if (duration.startsWith('-')) throw new UsageError(`${duration} is negative. The clock only moves forward`)
    if (/^\d+$/.test(duration)) {
      throw new UsageError(`${duration} has no unit. Use an ISO 8601 duration such as P31D or PT90S`)
    }
    const moved = async (world: WorldClient) => {
      const move = await world.clock.advance(duration)
      show(move, values.json, output, ({ now }) => `${new Date(now).toISOString()}\n`)
      if (!values.json && move.due > 0)
        output.stderr.write(`${move.due} scheduled event${move.due === 1 ? '' : 's'} ran\n`)
      return exitCodes.ok
    }
    return withWorld(values, moved, ['DURATION'])
  },
})

export const reset = defineCommand({
  options: clientOptions,
  example: 'reset --world demo',
  async run({ values }, { stdout, stderr }) {
    return withWorld(values, async (world) => {
      await world.reset()
      if (values.json) stdout.write(`${JSON.stringify({ world: world.name })}\n`)
      else stderr.write(`Reset world ${world.name}\n`)
      return exitCodes.ok
    })
  },
})

export const snapshot = defineCommand({
  options: {
    out: { takes: 'FILE', about: 'Write to this file instead of standard output; an existing file is not overwritten' },
    restore: { takes: 'FILE', about: 'Restore the world from this file; - reads standard input' },
    ...clientOptions,
  },
  example: 'snapshot --out world.ndjson',
  async run({ values }, output) {
    if (values.out !== undefined && values.restore !== undefined)
      throw new UsageError('--out and --restore cannot be used together')
    refuseExisting(values.out)
    return withWorld(values, async (world) => {
      if (values.restore !== undefined) {
        await world.restore(await readSnapshotText(values.restore))
        output.stderr.write(`Restored world ${world.name} from ${values.restore}\n`)
        return exitCodes.ok
      }
      const taken = await world.snapshot()
      await writeResult(taken, values.out, output)
      if (values.out !== undefined && values.out !== '-') {
        output.stderr.write(`Saved world ${world.name} to ${values.out} (${Buffer.byteLength(taken)} bytes)\n`)
      }
      return exitCodes.ok
    })
  },
})

async function readSnapshotText(file: string): Promise<string> {
  const given = await readText(file)
  for (const { at, wrong } of parseSnapshot(Buffer.from(given))) {
    if (wrong !== undefined) throw new UsageError(`cannot restore ${file}: ${at} ${wrong}`)
  }
  return given
}
