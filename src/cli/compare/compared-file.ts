import { createHash } from 'node:crypto'
import { type Case, isCase, parseCase, UnusableCase, type CaseStep } from '#contract/files/case.ts'
import { Bindings } from '#contract/files/placeholders.ts'
import { interfaceNames } from '#contract/documents/find-operation.ts'
import { describeLeft, isOwn, readArchive, toVendorSteps, writeSteps } from '../cases/from-har.ts'
import { toUnusable } from '../cases/replay.ts'

export interface ComparedFile {
  given: Case
  /** Placeholders whose values stand in the file in clear. */
  secrets: ReadonlyMap<number, string>
  told?: string
}

/** Of a HAR only calls to this machine, to `PUBLIC_URL` and to the upstream count. */
export async function readComparedFile(file: string, text: string, upstream: URL): Promise<ComparedFile> {
  if (isCase(text)) return { given: parse(text), secrets: new Map() }
  if (!/^\ufeff?\s*\{\s*"log"/.test(text)) {
    throw toUnusable(new UnusableCase(`${file} is neither a case nor a HAR`), 'compared')
  }
  const isKnown = (host: string) => isOwn(host) || host === upstream.hostname
  const { steps, ...left } = toVendorSteps(readArchive(file, text), (host) =>
    isKnown(host) ? interfaceNames : undefined,
  )
  const given = parse(await writeSteps(steps))
  const told = left.unusable.size > 0 && `some entries cannot be used${describeLeft(left)}`
  return { given, secrets: findSent(given, steps), ...(told && { told }) }
}

function parse(text: string): Case {
  try {
    return parseCase(text)
  } catch (error) {
    throw toUnusable(error as Error, 'compared')
  }
}

/** The upstream knows secrets that a client brought, and issues its own anew. */
function findSent({ header, steps }: Case, inClear: readonly CaseStep[]): Map<number, string> {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const bindings = new Bindings(header.tokens, { sha256, invent: (shape) => shape })
  const sent = new Map<number, string>()
  const issued = new Set<string>()
  for (const [i, step] of steps.entries()) {
    const clear = inClear[i]
    if (!('call' in step) || !clear || !('call' in clear)) continue
    const call = JSON.stringify(step.call)
    bindings.learn(call, JSON.stringify(clear.call))
    for (const [mark, n] of call.matchAll(MARK)) {
      if (!issued.has(mark) && !bindings.lacks(mark)) sent.set(Number(n), bindings.fill(mark))
    }
    for (const [mark] of JSON.stringify(step.reply).matchAll(MARK)) issued.add(mark)
  }
  return sent
}

const MARK = /\{\{token:(\d+)\}\}/g
