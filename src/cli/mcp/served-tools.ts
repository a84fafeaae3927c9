import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import { readVersion } from '#server/package-files.ts'
import type { McpContext } from '#server/server.ts'
import { createWorldClient } from '#tools/client/world-client.ts'
import type { AnswerMcp } from '#tools/mcp/server.ts'
import { cases, listChecksOf } from './ports.ts'

/** Maximum length of a case in characters. */
const LONGEST_CASE = 1024 * 1024

/** Tools that are used over HTTP cannot access files or run commands. */
export async function createServedTools({ url, fetch, controlKey, jobs }: McpContext): Promise<AnswerMcp> {
  // Imports the modules one after the other, so that the event loop is blocked only briefly.
  await import('@modelcontextprotocol/server')
  const { createMcpAnswer } = await import('#tools/mcp/server.ts')
  const askWith =
    (outer: AbortSignal | undefined): typeof globalThis.fetch =>
    async (target, init) => {
      const signals = [init?.signal, outer].flatMap((each) => each ?? [])
      return fetch(new Request(target, { ...init, signal: AbortSignal.any(signals) }))
    }
  return createMcpAnswer({
    version: readVersion(),
    world: DEFAULT_WORLD,
    open: (world, signal) => createWorldClient(url, { key: controlKey, world, fetch: askWith(signal) }),
    cases: {
      replay: (text) => jobs.run(() => cases.replay(text)),
      shrink: (text, step) => jobs.run(() => cases.shrink(text, step)),
      show: (text, format, step) => jobs.run(() => cases.show(text, format, step)),
    },
    longestCase: LONGEST_CASE,
    examiner: { list: listChecksOf },
  })
}
