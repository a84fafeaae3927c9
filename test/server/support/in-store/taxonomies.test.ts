import { expect, test } from 'vitest'
import type { Store } from '../../../../src/server/ports/store.ts'
import type { TaxonomyEntry } from '../../../../src/contract/records/in-store/taxonomy.ts'
import { asGuest, buildTestApp } from '../../../helpers/build-test-app.ts'

const leaf = { isLeafFlag: 'Y', dummyModelCode: 'VM-DMY-T', walkInFlag: 'Y', mailInFlag: 'N' } as const
const entries: Pick<TaxonomyEntry, 'taxonomyCode' | 'upperTaxonomyCode' | 'level' | 'displayOrder'>[] = [
  { taxonomyCode: 'root', upperTaxonomyCode: null, level: 0, displayOrder: 0 },
  { taxonomyCode: 'T2', upperTaxonomyCode: 'root', level: 1, displayOrder: 2 },
  { taxonomyCode: 'T1', upperTaxonomyCode: 'root', level: 1, displayOrder: 1 },
  { taxonomyCode: 'T1-A', upperTaxonomyCode: 'T1', level: 2, displayOrder: 1 },
]

async function build() {
  const { app, store } = buildTestApp()
  await replaceTaxonomies(store)
  const ask = (path: string) => app.inject({ url: `/stg/us/instore/noauth/${path}`, headers: asGuest() })
  return { store, ask }
}

async function replaceTaxonomies(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    for (const { taxonomyCode } of await tx.taxonomies.find()) await tx.taxonomies.delete(taxonomyCode)
    for (const entry of entries) {
      const flags = entry.level === 2 ? leaf : ({ isLeafFlag: 'N' } as const)
      await tx.taxonomies.put({ ...entry, ...flags, taxonomyName: `Group ${entry.taxonomyCode}` })
    }
  })
}

const group = (taxonomyCode: string, upperTaxonomyCode: string | null, level: number, children: unknown[] = []) => ({
  taxonomyCode,
  taxonomyName: `Group ${taxonomyCode}`,
  upperTaxonomyCode,
  level,
  isLeafFlag: 'N',
  children,
})
const unreported = (taxonomyCode: string) => {
  const { children: _, ...rest } = group(taxonomyCode, 'root', 1)
  return rest
}
const leafEntry = { ...group('T1-A', 'T1', 2), ...leaf }

test('operation 39 returns 200 with only the first level below root, which is the default', async () => {
  const { ask } = await build()
  const first = group('root', null, 0, [unreported('T1'), unreported('T2')])
  for (const path of ['taxonomy', 'taxonomy?upperTaxonomyCode=', 'taxonomy?upperTaxonomyCode=root']) {
    const reply = await ask(path)
    expect([reply.statusCode, reply.json()]).toEqual([200, first])
  }
})

test('operation 39 returns 200 with one level of children or a leaf with its flags', async () => {
  const { ask } = await build()
  expect((await ask('taxonomy?upperTaxonomyCode=T1')).json()).toEqual(group('T1', 'root', 1, [leafEntry]))
  expect((await ask('taxonomy?upperTaxonomyCode=T1-A')).json()).toEqual(leafEntry)
})

test('operation 39 returns 400 for a repeated upperTaxonomyCode', async () => {
  const { ask } = await build()
  expect((await ask('taxonomy?upperTaxonomyCode=T1&upperTaxonomyCode=T2')).statusCode).toBe(400)
})

test('operation 39 returns 404 for an unknown upperTaxonomyCode', async () => {
  const { ask } = await build()
  expect((await ask('taxonomy?upperTaxonomyCode=T9')).statusCode).toBe(404)
})

test('operation 40 returns 200 with the root and all levels below it', async () => {
  const { ask } = await build()
  const reply = await ask('taxonomyTree')
  expect(reply.statusCode).toBe(200)
  expect(reply.json()).toEqual(group('root', null, 0, [group('T1', 'root', 1, [leafEntry]), group('T2', 'root', 1)]))
})

test('operation 40 returns 200 even if the root is stored below one of its children', async () => {
  const { ask, store } = await build()
  await store.transaction(async (tx) => {
    const root = await tx.taxonomies.get('root')
    await tx.taxonomies.put({ ...root!, upperTaxonomyCode: 'T1' })
  })
  expect((await ask('taxonomyTree')).json().children).toHaveLength(2)
})

test('operation 40 returns 200 for 20,000 nested entries', async () => {
  const { ask, store } = await build()
  await store.transaction(async (tx) => {
    const entry = (await tx.taxonomies.get('T2'))!
    for (let i = 0; i < 20_000; i++) {
      const upperTaxonomyCode = i === 0 ? 'T2' : `D${i - 1}`
      await tx.taxonomies.put({ ...entry, taxonomyCode: `D${i}`, upperTaxonomyCode })
    }
  })
  const reply = await ask('taxonomyTree')
  expect(reply.statusCode).toBe(200)
  expect(reply.body).toContain('"D10"')
})

test('operation 40 returns 404 if the root is missing', async () => {
  const { ask, store } = await build()
  await store.transaction((tx) => tx.taxonomies.delete('root'))
  expect((await ask('taxonomyTree')).statusCode).toBe(404)
})
