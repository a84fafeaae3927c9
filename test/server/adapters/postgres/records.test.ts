import { expect, test } from 'vitest'
import { putNewRecords, readerOver } from '../../../../src/server/adapters/postgres/records.ts'
import type { Ask } from '../../../../src/server/adapters/postgres/session.ts'
import type { Stored } from '../../../../src/server/adapters/record.ts'

test('the records of a new Postgres world are generated and inserted in batches of 200', async () => {
  let made = 0
  function* make(): Generator<Stored> {
    for (; made < 1050; made++) yield { name: `setting-${made}`, value: String(made) }
  }
  const put: number[] = []
  const madeBefore: number[] = []
  const ask: Ask = async (_, values = []) => {
    // The first value is the world. Two more values per record are its key and its body.
    put.push((values.length - 1) / 2)
    madeBefore.push(made + 1)
    return { rows: [], rowCount: 0, command: 'INSERT', oid: 0, fields: [] }
  }
  await putNewRecords('settings', '1', make(), ask)
  expect(put).toEqual([200, 200, 200, 200, 200, 50])
  expect(madeBefore).toEqual([200, 400, 600, 800, 1000, 1051])
})

test('parsing a page of many slow Postgres rows yields to the event loop', async () => {
  let [turn, isDone] = [0, false]
  const next = () => {
    turn++
    if (!isDone) setImmediate(next)
  }
  const turns = new Set<number>()
  const rows = Array.from({ length: 60 }, (_, i) => ({
    get body() {
      const until = performance.now() + 1
      while (performance.now() < until);
      turns.add(turn)
      return JSON.stringify({ name: `setting-${i}`, value: '' })
    },
  }))
  const ask: Ask = async () => ({ rows, rowCount: rows.length, command: 'SELECT', oid: 0, fields: [] })
  setImmediate(next)
  const found = await readerOver('settings', '1', ask).find()
  isDone = true
  expect(found.at(-1)).toEqual({ name: 'setting-59', value: '' })
  expect(turns.size).toBeGreaterThan(1)
})
