import { collectionOf, type Stored, type StoredWriter, toTransaction } from '../adapters/record.ts'
import type { Recorder } from '../ports/recorder.ts'
import type { Store, Transaction } from '../ports/store.ts'
import type { CollectionName } from '#contract/records/collections.ts'

type Keys = Map<CollectionName, Set<string>>
type Changes = Map<CollectionName, Map<string, Stored | undefined>>

/** Reports changes to the recorder only after they are committed. */
export function watchStore(store: Store, findRecorder: () => Recorder | undefined): Store {
  return {
    ...store,
    async transaction(work) {
      const recorder = findRecorder()
      if (!recorder) return store.transaction(work)
      return store.transaction(async (tx) => {
        const keys: Keys = new Map()
        const value = await work(watchWriters(tx, keys))
        const { changes, characters } = await readChanges(tx, keys)
        tx.afterCommit(() => {
          if (changes.size > 0) recorder.wrote(changes, characters)
        })
        return value
      })
    },
  }
}

function watchWriters(tx: Transaction, touched: Keys): Transaction {
  return toTransaction((name) => {
    const writer = tx.collection(name) as StoredWriter
    const { key } = collectionOf(name)
    const keys = () => {
      const known = touched.get(name) ?? new Set()
      touched.set(name, known)
      return known
    }
    return {
      ...writer,
      put: (record) => {
        keys().add(String(record[key]))
        return writer.put(record)
      },
      delete: (gone) => {
        keys().add(gone)
        return writer.delete(gone)
      },
    }
  }, tx)
}

/** Engines in memory return the stored objects themselves, so nothing is copied. */
async function readChanges(tx: Transaction, touched: Keys): Promise<{ changes: Changes; characters: number }> {
  const changes: Changes = new Map()
  let characters = 0
  for (const [name, keys] of touched) {
    const found = new Map<string, Stored | undefined>()
    changes.set(name, found)
    for (const key of keys) {
      const record = await tx.collection(name).get(key)
      found.set(key, record)
      characters += record ? JSON.stringify(record).length : 0
    }
  }
  return { changes, characters }
}
