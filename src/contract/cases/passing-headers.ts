/** Headers of a connection and of the length of its messages (RFC 9110, section 7.6.1): they say nothing of a call. */
const ofConnection = ['connection', 'content-length', 'keep-alive', 'transfer-encoding']

/** They name the server that is meant, and the page that asked it. */
export const serverHeaders: ReadonlySet<string> = new Set(['host', 'origin'])

/** Of a reply those that name the moment or the way too: no case keeps them, and no comparison counts them. */
export const passingReplyHeaders: ReadonlySet<string> = new Set([...ofConnection, 'date'])

/** Of a call those too that a client's library puts in by itself, and that say which world and server are meant. */
export const passingCallHeaders: ReadonlySet<string> = new Set([
  ...ofConnection,
  'accept-encoding',
  'expect',
  'user-agent',
  'x-control-key',
  'x-world',
])
