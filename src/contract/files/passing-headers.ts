/** RFC 9110, section 7.6.1: these headers concern the connection, not the call. */
const ofConnection = ['connection', 'content-length', 'keep-alive', 'transfer-encoding']

/** These name the addressed server and the page that calls it, which another run need not have. */
export const serverHeaders: ReadonlySet<string> = new Set(['host', 'origin'])

/** The date differs by nature, so no case keeps it and no comparison counts it. */
export const passingReplyHeaders: ReadonlySet<string> = new Set([...ofConnection, 'date'])

/** Client libraries add some of these headers; others say which world and server are meant. */
export const passingCallHeaders: ReadonlySet<string> = new Set([
  ...ofConnection,
  'accept-encoding',
  'expect',
  'user-agent',
  'x-control-key',
  'x-world',
])
