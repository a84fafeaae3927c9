/**
 * What a world costs: time to make an empty one and to reset one, heap of an empty one, and the first call that reads
 * its tickets. Limits: milliseconds to make, well under 1 MB. Run: node --expose-gc --import tsx bench/worlds.ts
 */
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { createRuntime } from '../src/runtime.ts'

const WORLDS = 500

const worlds = await createRuntime(readConfig({ SEED: 'bench' }), join(import.meta.dirname, '../fixtures'))
const plan = (i: number) => ({ name: `w${i}`, seed: 'bench', now: Date.UTC(2001, 0, 1) + i * 86_400_000 })

const before = heap()
const making = await timed(WORLDS, async (i) => void (await worlds.create(plan(i))))
const empty = (heap() - before) / WORLDS
const reset = await timed(WORLDS, async (i) => void (await worlds.reset(`w${i}`)))
const touched = 20
const beforeTouch = heap()
const touching = await timed(touched, async (i) => void (await worlds.find(`w${i}`)!.store.tickets.find({ limit: 1 })))
const full = (heap() - beforeTouch) / touched

process.stdout.write(
  `make a world        ${making.toFixed(3)} ms\n` +
    `reset a world       ${reset.toFixed(3)} ms\n` +
    `an empty world      ${(empty / 1024).toFixed(1)} KB\n` +
    `first look at its tickets (${await worlds.find('w0')!.store.tickets.count()}): ${touching.toFixed(1)} ms, ` +
    `${(full / 1024).toFixed(0)} KB\n`,
)
await worlds.close()

/** Mean milliseconds. */
async function timed(count: number, work: (i: number) => Promise<void>): Promise<number> {
  const from = process.hrtime.bigint()
  for (let i = 0; i < count; i++) await work(i)
  return Number(process.hrtime.bigint() - from) / 1e6 / count
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
