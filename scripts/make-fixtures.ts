/** Writes `fixtures/*.json` of document 1: `npm run fixtures`. The same content gives the same bytes. */
import { writeFileSync } from 'node:fs'
import { type CollectionName, collectionNames } from '../src/contract/records/collections.ts'
import { toFileName } from '../src/server/seed/fixtures.ts'
import { madeFixtures, toFixtureText } from './fixtures/all.ts'

for (const name of collectionNames) write(name, madeFixtures[name])

function write(name: CollectionName, records: readonly object[] | undefined): void {
  if (!records) return
  const text = toFixtureText(records)
  writeFileSync(new URL(`../fixtures/${toFileName(name)}`, import.meta.url), text)
  process.stdout.write(`${name}: ${records.length} records, ${text.length} bytes\n`)
}
