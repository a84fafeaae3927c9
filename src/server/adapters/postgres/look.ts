import pg from 'pg'
import { SCHEMA } from './layout.ts'
import { hasTables } from './schema.ts'

const PATIENCE = 3000

interface Found {
  version: string
  name: string
  mayCreate: boolean
  mayWrite: boolean | null
}

const LOOK = `SELECT current_setting('server_version') AS version, current_database() AS name,
  has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
  (SELECT bool_and(has_table_privilege(c.oid, 'INSERT')) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '${SCHEMA}' AND c.relkind = 'r') AS "mayWrite"`

/** PostgreSQL reports missing rights with the same code. */
const denied = (message: string) => Object.assign(new Error(message), { code: '42501' })

/** Does not create or change anything in the database. */
export async function lookAtPostgres(url: string): Promise<{ says: string }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
    application_name: 'vendor-cloud doctor',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Found>(LOOK)
    const { version, name, mayCreate, mayWrite } = rows[0]!
    const isMade = await hasTables((text) => client.query(text))
    if (!isMade && !mayCreate) throw denied(`permission denied for database ${name}`)
    if (isMade && !mayWrite) throw denied(`permission denied for the tables of schema ${SCHEMA}`)
    return { says: `connected to PostgreSQL ${version}` }
  } finally {
    await client.end().catch(() => {})
  }
}
