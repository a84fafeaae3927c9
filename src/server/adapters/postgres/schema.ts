import { randomUUID } from 'node:crypto'
import { UnusableState } from '#server/ports/failures.ts'
import { type CollectionName, collectionNames } from '#contract/records/collections.ts'
import { SNAPSHOT_VERSION } from '#contract/records/snapshot-migrations.ts'
import type { WorldRecord } from '../engine.ts'
import { layout, layoutDigest, SCHEMA, table } from './layout.ts'
import { codeOf } from './failures.ts'
import { inTransaction } from './pool.ts'
import { putNewRecords } from './records.ts'
import type { Ask, Session } from './session.ts'
import type { Stored } from '../record.ts'
import { migrateWorld } from '../world-migration.ts'

/**
 * Older tables are brought up to date, and those of a newer server left alone. Gives the installation's name, which all
 * instances share.
 */
export async function prepareSchema(session: Session): Promise<string> {
  const about = await readAbout(session)
  const version = Number(about.get('schemaVersion') ?? SNAPSHOT_VERSION)
  if (version > SNAPSHOT_VERSION) {
    const known = `this one reads up to version ${SNAPSHOT_VERSION}`
    throw new UnusableState(`the database holds records of version ${version}, which a newer server wrote; ${known}`)
  }
  const isKnown = about.get('layout') === layoutDigest
  const installation = about.get('installation')
  if (isKnown && version === SNAPSHOT_VERSION && installation) return installation
  if (!isKnown) for (const statement of layout) await makeOnce(session, statement)
  await session.send(`INSERT INTO ${SCHEMA}.about (name, value) VALUES ('installation', $1) ON CONFLICT DO NOTHING`, [
    randomUUID(),
  ])
  await inTransaction(session, async (ask) => {
    // Fields may have become columns since the records were written.
    if (about.size > 0) await rewriteAll(ask, version)
    await writeAbout(ask, 'schemaVersion', String(SNAPSHOT_VERSION))
    await writeAbout(ask, 'layout', layoutDigest)
  }).catch((error: unknown) => {
    // Another instance that starts at the same time has done the same.
    if (!['40001', '23505'].includes(codeOf(error))) throw error
  })
  return (await readAbout(session)).get('installation')!
}

/** PostgreSQL gives these codes when another instance makes the same tables at the same time. */
const RACES = new Set(['23505', '42P06', '42P07', '42710', '42701', '40001', '40P01', 'XX000'])

async function makeOnce(session: Session, statement: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await session.send(statement)
      return
    } catch (error) {
      if (!RACES.has(codeOf(error)) || tries === 10) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * tries))
    }
  }
}

async function readAbout(session: Session): Promise<Map<string, string>> {
  try {
    const { rows } = await session.send(`SELECT name, value FROM ${SCHEMA}.about`)
    return new Map((rows as { name: string; value: string }[]).map(({ name, value }) => [name, value]))
  } catch (error) {
    // The schema or table does not exist yet.
    if (['42P01', '3F000'].includes(codeOf(error))) return new Map()
    throw error
  }
}

async function writeAbout(ask: Ask, name: string, value: string): Promise<void> {
  const text = `INSERT INTO ${SCHEMA}.about (name, value) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`
  await ask(text, [name, value])
}

async function rewriteAll(ask: Ask, version: number): Promise<void> {
  const text = `SELECT house, body, (SELECT body FROM ${SCHEMA}.clocks WHERE clocks.house = worlds.house) AS clock
    FROM ${SCHEMA}.worlds`
  const { rows } = await ask(text)
  for (const { house, body, clock } of rows as { house: string; body: string; clock: string }[]) {
    const kept = { ...(JSON.parse(body) as WorldRecord), clock: JSON.parse(clock) as WorldRecord['clock'] }
    const { record, records } = migrateWorld(kept, await readAll(house, ask), version)
    await ask(`UPDATE ${SCHEMA}.clocks SET body = $2 WHERE house = $1`, [house, JSON.stringify(record.clock)])
    for (const name of collectionNames) {
      await ask(`DELETE FROM ${table(name)} WHERE house = $1`, [house])
      await putNewRecords(name, house, records.get(name) ?? [], ask)
    }
  }
}

async function readAll(house: string, ask: Ask): Promise<Map<CollectionName, Stored[]>> {
  const lists = new Map<CollectionName, Stored[]>()
  for (const name of collectionNames) {
    const { rows } = await ask(`SELECT body FROM ${table(name)} WHERE house = $1`, [house])
    const records = rows.map(({ body }: { body: string }) => JSON.parse(body) as Stored)
    lists.set(name, records)
  }
  return lists
}
