import { collectionNames } from '#contract/records/collections.ts'
import { toFirstSequence, type WorldContent, type WorldRecord } from '../engine.ts'
import { SCHEMA, table } from './layout.ts'
import type { Ask } from './session.ts'
import { putNewRecords } from './records.ts'
import { recordsOf } from '../record.ts'

export type Row = { house: string; body: string; clock: string; moves: string; events_base: string }

/** Marks replaced worlds. Their records are removed later, even if the replacing instance stops. */
const LEAVING = 'leaving:'

export async function findWorld(name: string, ask: Ask): Promise<Row | undefined> {
  const { rows } = await ask(`SELECT house, body, events_base FROM ${SCHEMA}.worlds WHERE name = $1`, [name])
  return rows[0] as Row | undefined
}

/** `old` is the replaced world of the same name. */
export async function keepWorld(
  house: string,
  record: WorldRecord,
  { records, blobs, eventsFrom }: WorldContent,
  old: string | undefined,
  ask: Ask,
): Promise<void> {
  const { plan, clock } = record
  if (old !== undefined) await ask(`INSERT INTO ${SCHEMA}.about (name, value) VALUES ($1, '')`, [LEAVING + old])
  const first = toFirstSequence(eventsFrom)
  const world = `INSERT INTO ${SCHEMA}.worlds (name, house, body, events_base)
    VALUES ($1, $2, $3, $4 - nextval('${SCHEMA}.event_sequence'))
    ON CONFLICT (name) DO UPDATE SET house = excluded.house, body = excluded.body, events_base = excluded.events_base`
  await ask(world, [plan.name, house, JSON.stringify(record), first])
  // A client that sends the world's first number as its last event ID has not missed any event.
  const start = `INSERT INTO ${SCHEMA}.events (world, sequence, payload)
    SELECT house, $2 - events_base, 'null' FROM ${SCHEMA}.worlds WHERE house = $1`
  await ask(start, [house, first])
  await ask(`INSERT INTO ${SCHEMA}.clocks (house, body) VALUES ($1, $2)`, [house, JSON.stringify(clock)])
  for (const [digest, bytes] of blobs) {
    const image = `INSERT INTO ${SCHEMA}.images (house, digest, bytes) VALUES ($1, $2, $3)`
    await ask(image, [house, digest, Buffer.from(bytes)])
  }
  for (const name of collectionNames) await putNewRecords(name, house, recordsOf(records.get(name)), ask)
}

export async function findLeaving(ask: Ask): Promise<string[]> {
  const { rows } = await ask(`SELECT name FROM ${SCHEMA}.about WHERE name LIKE '${LEAVING}%'`)
  return rows.map(({ name }: { name: string }) => name.slice(LEAVING.length))
}

export async function forgetWorld(house: string, ask: Ask): Promise<void> {
  await ask(`DELETE FROM ${SCHEMA}.about WHERE name = $1`, [LEAVING + house])
  for (const each of ['events', 'claims']) await ask(`DELETE FROM ${SCHEMA}.${each} WHERE world = $1`, [house])
  const tables = ['worlds', 'clocks', 'images'].map((each) => `${SCHEMA}.${each}`)
  for (const each of [...tables, ...collectionNames.map(table)])
    await ask(`DELETE FROM ${each} WHERE house = $1`, [house])
}
