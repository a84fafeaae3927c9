/** Headers that concern only the connection (RFC 9110, section 7.6.1). */
const ofConnection = ['connection', 'content-length', 'keep-alive', 'transfer-encoding']

/** Headers that contain addresses, which differ between runs. */
export const serverHeaders: ReadonlySet<string> = new Set(['host', 'origin'])

/** Response headers that are not recorded or compared. */
export const passingReplyHeaders: ReadonlySet<string> = new Set([...ofConnection, 'date'])

/** Request headers that are not recorded. Client libraries add them, or they select a world or server. */
export const passingCallHeaders: ReadonlySet<string> = new Set([
  ...ofConnection,
  'accept-encoding',
  'expect',
  'user-agent',
  'x-control-key',
  'x-world',
])
