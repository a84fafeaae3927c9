import * as z from 'zod'
import { type HttpRequest, httpRequest, httpResponse } from '../exchange.ts'
import { instant } from '../records/formats.ts'
import { DEFAULT_WORLD, worldName } from '../records/control/world.ts'
import { SNAPSHOT_VERSION } from '../records/snapshot.ts'
import { isDeep, MOST_LEVELS } from '../records/plain-values.ts'

export const CASE_VERSION = 2

const records = z.record(z.string(), z.array(z.record(z.string(), z.unknown())))

const changes = z.object({
  schemaVersion: z.int(),
  clock: z.object({ frozenAt: instant }).optional(),
  faults: z.array(z.unknown()).optional(),
  records: records.optional(),
  gone: z.record(z.string(), z.array(z.string())).optional(),
  /** Images by their SHA-256 digest, encoded in base64. */
  blobs: z.record(z.string(), z.string()).optional(),
})
export type CaseChanges = z.infer<typeof changes>

const header = z.object({
  case: z.literal(CASE_VERSION),
  /** Present if the case was recorded from another server. The initial state of that server is unknown. */
  origin: z.literal('upstream').optional(),
  /** Version of vendor-cloud, which determines the fixtures. */
  version: z.string(),
  name: z.string().optional(),
  world: worldName,
  profile: z.string().optional(),
  publicUrl: z.string().optional(),
  /** The dates in the fixtures are relative to it. With a snapshot, it is the time of the world's clock. */
  start: instant,
  seed: z.string(),
  /** Sequence number before the first event of the case. Event IDs continue from this number. */
  head: z.int(),
  /** Shape of each secret. For example, `Aa0` stands for an upper-case letter, a lower-case letter and a digit. */
  tokens: z.array(z.string().max(100_000)).max(1_000_000),
  fixtures: z.object({ name: z.string().regex(/^[a-z0-9-]{1,64}$/), sha256: z.string() }).optional(),
  changed: changes.optional(),
  snapshot: z.record(z.string(), z.unknown()).optional(),
})
export const upstreamHeader = { case: CASE_VERSION, origin: 'upstream' } as const
/** A case from another server has this start in its header. Its first step contains the actual time. */
export const UNKNOWN_START = '1970-01-01T00:00:00.000Z'

/** Default header fields of a case from another server. Such a case is replayed with the default fixtures. */
const unknown = {
  version: 'unknown',
  world: DEFAULT_WORLD,
  start: UNKNOWN_START,
  seed: 'upstream',
  head: 0,
  tokens: [],
  changed: { schemaVersion: SNAPSHOT_VERSION },
}

const caseHeader = z.preprocess(
  (value) => (Object(value).origin === upstreamHeader.origin ? { ...unknown, ...Object(value) } : value),
  header.refine(
    ({ snapshot, fixtures, changed, origin }) => snapshot ?? (changed && (fixtures || origin)),
    'must contain a snapshot, or fixtures and their changes',
  ),
)
export type CaseHeader = z.infer<typeof caseHeader>

const frame = z.object({
  subscriptionId: z.string(),
  event: z.string(),
  id: z.string().optional(),
  data: z.unknown(),
})
export type CaseFrame = z.infer<typeof frame>
export type StreamFrame = Omit<CaseFrame, 'subscriptionId'>

/** A proxy does not know the reason. */
const closed = z.object({ subscriptionId: z.string(), reason: z.string().optional() })
export type CaseStreamEnd = z.infer<typeof closed>

const mail = z.record(z.string(), z.unknown())
const about = {
  step: z.int().min(1),
  at: instant,
  /** Shapes of secrets that occur for the first time in this step. */
  tokens: z.array(z.string().max(100_000)).optional(),
}

const caseStep = z.union([
  z.strictObject({ ...about, call: httpRequest, reply: httpResponse }),
  z.strictObject({ ...about, control: httpRequest, reply: httpResponse }),
  z.strictObject({ ...about, frame }),
  z.strictObject({ ...about, closed }),
  z.strictObject({ ...about, mail }),
])
export type CaseStep = z.infer<typeof caseStep>
export type CallStep = Extract<CaseStep, { call: HttpRequest }>
/** A step that is about to be written. Unlike a parsed step, it may contain a dropped response body. */
export type WrittenStep = z.input<typeof caseStep>

/** Last line of a recording that the server itself has ended. Contains the reason. */
const caseEnd = z.strictObject({ ended: z.string() })

export interface Case {
  header: CaseHeader
  steps: CaseStep[]
  ended?: string | undefined
}

export class UnusableCase extends Error {
  override readonly name = 'UnusableCase'
}

export function writeCase({ header, steps, ended }: Case): string {
  const lines = [header, ...steps].map((line) => `${JSON.stringify(line)}\n`)
  return lines.join('') + (ended === undefined ? '' : writeEnd(ended))
}

export function writeEnd(ended: string): string {
  return `${JSON.stringify({ ended })}\n`
}

/** Returns why the server ended the recording, without parsing the case. */
export function findEnd(text: string): string | undefined {
  return /\n\{"ended":"([^"]*)"\}\n$/.exec(text)?.[1]
}

export function parseCase(text: string): Case {
  const [first = '', ...rest] = linesOf(text)
  const header = parseLine(caseHeader, first, 1)
  if (header.origin && isTorn(text, rest.at(-1))) rest.pop()
  const steps: CaseStep[] = []
  const seen = new Set<number>()
  const tokens = [...header.tokens]
  let ended: string | undefined
  for (const [i, line] of rest.entries()) {
    if (i === rest.length - 1 && line.startsWith('{"ended":')) ended = parseLine(caseEnd, line, i + 2).ended
    else {
      const { tokens: further = [], ...step } = parseLine(caseStep, line, i + 2)
      tokens.push(...further)
      if (seen.has(step.step)) throw new UnusableCase(`line ${i + 2} repeats step ${step.step}`)
      seen.add(step.step)
      steps.push(step)
    }
  }
  const start = header.start === UNKNOWN_START ? (steps[0]?.at ?? header.start) : header.start
  return { header: { ...header, start, tokens }, steps, ended }
}

/** Ignores the byte order mark that some editors add. */
function linesOf(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/** Returns whether the last line is incomplete, because the process was killed while it wrote the line. */
function isTorn(text: string, last: string | undefined): boolean {
  if (last === undefined || text.endsWith('\n')) return false
  try {
    return JSON.parse(last) === undefined
  } catch {
    return true
  }
}

export function isCase(text: string): boolean {
  try {
    const [first = ''] = linesOf(text.slice(0, text.indexOf('\n')))
    return parseLine(caseHeader, first, 1) !== undefined
  } catch {
    return false
  }
}

export function renumber(steps: readonly CaseStep[]): CaseStep[] {
  return steps.map((step, i) => ({ ...step, step: i + 1 }))
}

function parseLine<S extends z.ZodType>(schema: S, line: string, number: number): z.output<S> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    const hint = number === 1 ? '. The name of a case file ends with .jsonl' : ''
    throw new UnusableCase(`line ${number} is not valid JSON${hint}`)
  }
  if (isDeep(value)) throw new UnusableCase(`line ${number} has more than ${MOST_LEVELS} levels`)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { case: version } = Object(value) as { case?: unknown }
  if (number === 1 && typeof version === 'number' && version !== CASE_VERSION) {
    throw new UnusableCase(`line 1 has case version ${version}, but this server reads version ${CASE_VERSION}`)
  }
  if (number === 1 && version === undefined) {
    throw new UnusableCase('line 1 is not the header of a case. Use a file that vendor-cloud has recorded')
  }
  const { path = [], message } = result.error.issues[0] ?? {}
  const at = path.length > 0 ? `${path.join('.')}: ` : ''
  throw new UnusableCase(`line ${number} is not a ${number === 1 ? 'header' : 'step'} of a case: ${at}${message}`)
}
