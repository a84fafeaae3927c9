/**
 * Runs all benchmarks one after the other, or those that are named, and prints one table with the results. Other work
 * on the machine makes every result worse, except those that are measured in slices. With `--against COMMIT`, `as-used`
 * also measures the build of that commit. Run: npm run bench [-- as-used --against COMMIT]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { print, type Row } from './harness/side-by-side.ts'

const [traffic, streams, others] = [
  ['get', 'as-used', 'writes/post', 'journal', 'recording', 'soap', 'lists', 'uploads'],
  ['streams-fanout', 'streams-filters', 'streams-memory'],
  [
    'cold-start',
    'engines',
    'start-durable',
    'worlds',
    'recorded-worlds',
    'replay',
    'standstill',
    'pipelining',
    'neighbors',
    'in-process',
    'traces',
  ],
] as const
const { values, positionals } = parseArgs({ allowPositionals: true, options: { against: { type: 'string' } } })
const names = positionals.length > 0 ? positionals : [...traffic, ...streams, ...others]
const against = values.against === undefined ? [] : ['--against', values.against]
if (against.length > 0 && !names.includes('as-used')) throw new Error('as-used alone compares with a commit')
const rows: Row[] = []

for (const name of names) {
  const execArgv = ['--expose-gc', '--import', 'tsx']
  const script = fork(join(import.meta.dirname, `${name}.ts`), name === 'as-used' ? against : [], { execArgv })
  script.on('message', (message) => rows.push((message as { row: Row }).row))
  const [code] = (await once(script, 'exit')) as [number | null]
  if (code === 0) continue
  rows.push({ what: name, seen: 'failed', limit: '' })
  process.exitCode = 1
}

print('\n| What | Seen | Limit |\n|---|---|---|')
for (const { what, seen, limit } of rows) print(`| ${what} | ${seen} | ${limit} |`)
