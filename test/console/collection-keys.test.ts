import { expect, test } from 'vitest'
import { collectionKeys } from '../../src/console/views/collection-keys.ts'
import { collections } from '../../src/schemas/collections.ts'

test('the console knows the key of every collection', () => {
  expect(collectionKeys).toEqual(Object.fromEntries(Object.entries(collections).map(([name, { key }]) => [name, key])))
})
