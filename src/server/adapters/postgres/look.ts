import pg from 'pg'

const PATIENCE = 3000

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
    const sql = "SELECT current_setting('server_version') AS version"
    const { rows } = await client.query<{ version: string }>(sql)
    return { says: `connected to PostgreSQL ${rows[0]!.version}` }
  } finally {
    await client.end().catch(() => {})
  }
}
