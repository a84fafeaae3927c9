/** The thread of a `Database`, in plain JavaScript: it runs as it is from the sources, tests and the bundle. */
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseSync } from '@photostructure/sqlite'

const database = new DatabaseSync(workerData)
// For one process at a time, until it closes the file or ends, however it ends. A commit returns when it is synced.
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
    // Some failures have rolled it back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    parentPort.postMessage({ failure: message }, [])
  }
})

function end() {
  database.close()
  parentPort.close()
}

/** Statements that cannot be part of a transaction. */
function run(sql) {
  database.exec(sql)
  return []
}

/** Gives the rows of the last step. */
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
