/**
 * The worker thread of a `Database`. It is plain JavaScript, so that it runs unchanged from the sources, in tests and
 * in the bundle.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseSync } from '@photostructure/sqlite'

const database = new DatabaseSync(workerData)
// Locks the file for this process until the process closes it or exits for any reason. A commit returns after the data
// is synced to disk.
database.exec(`
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 4000;
  BEGIN EXCLUSIVE;
  COMMIT;
`)
const statements = new Map()

parentPort.on('message', (steps) => {
  try {
    if (!steps) return end()
    parentPort.postMessage({ rows: typeof steps === 'string' ? run(steps) : transact(steps) }, [])
  } catch ({ message }) {
    // After some errors, SQLite has already rolled back the transaction.
    if (database.isTransaction) database.exec('ROLLBACK')
    parentPort.postMessage({ failure: message }, [])
  }
})

function end() {
  database.close()
  parentPort.close()
}

/** Runs a statement that cannot be part of a transaction. */
function run(sql) {
  database.exec(sql)
  return []
}

/** Returns the rows of the last step. */
function transact(steps) {
  let rows = []
  database.exec('BEGIN IMMEDIATE')
  for (const [sql, ...values] of steps) {
    if (!statements.has(sql)) statements.set(sql, database.prepare(sql))
    rows = statements.get(sql).all(...values)
  }
  database.exec('COMMIT')
  return rows
}
