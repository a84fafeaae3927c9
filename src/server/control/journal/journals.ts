import type { JournalQuery } from '../../../contract/records/control/journal.ts'
import {
  type JournalPart,
  mergeJournalParts,
  type PartQuery,
  readJournalPart,
  readPlace,
} from '../../domain/control/journals.ts'
import { type Finding, finding, invalidInput } from '../../domain/errors.ts'
import type { Ports } from '../../ports.ts'
import type { Worlds } from '../../ports/worlds.ts'

/** All instances share these bytes, and each may answer its least share in any case. */
const MOST_BYTES = 8 * 1024 * 1024
const LEAST_SHARE = 128 * 1024

interface Question {
  world: string
  query: PartQuery
}

/** From this call on the instance answers others too. */
export function shareJournals(worlds: Pick<Worlds, 'peers' | 'look'>) {
  worlds.peers.answer(async (text) => {
    const { world, query } = JSON.parse(text) as Question
    const ports = await worlds.look(world)
    const nothing: JournalPart = { entries: [], totalCount: 0, hasMore: false }
    return JSON.stringify(ports ? await readJournalPart(ports, worlds.peers.instance, query) : nothing)
  })
  return async (ports: Ports, { limit = 20, cursor, ...filters }: JournalQuery & { cursor?: string | undefined }) => {
    const behind = cursor === undefined ? undefined : readPlace(cursor)
    if (cursor !== undefined && !behind)
      throw invalidInput([finding('query.cursor', 'must be `next` of a page', { source: 'our choice: journal' })])
    const ask = (asked: number) => {
      const bytes = Math.max(LEAST_SHARE, Math.floor(MOST_BYTES / (asked + 1)))
      return { ...filters, limit, behind, bytes }
    }
    const { peers } = worlds
    const [own, { texts, missing }] = await Promise.all([
      readJournalPart(ports, peers.instance, ask(0)),
      peers.ask((asked) => JSON.stringify({ world: ports.world.name, query: ask(asked) } satisfies Question)),
    ])
    const parts = [own, ...texts.map((text) => JSON.parse(text) as JournalPart)]
    return { ...mergeJournalParts(parts, limit), missing: [...missing] }
  }
}

/** Each instance has its own ids, so a page that begins with one has no meaning for all. */
export function assertShared(query: { before?: number | undefined; offset: number; format: string }): void {
  const findings: Finding[] = []
  const refuse = (name: string, rule: string) =>
    findings.push(finding(`query.${name}`, rule, { source: 'our choice: journal' }))
  if (query.before !== undefined)
    refuse('before', 'is for one instance: with all=true, `cursor` takes `next` of a page')
  if (query.offset > 0) refuse('offset', 'is for one instance: with all=true, `cursor` takes `next` of a page')
  if (query.format !== 'json') refuse('format', 'must be json with all=true')
  if (findings.length > 0) throw invalidInput(findings)
}
