import { findCalledOperation } from '../../contract/documents/find-operation.ts'
import type { CaseStep } from '../../contract/records/control/case.ts'
import type { JournalEntry } from '../../contract/records/control/journal.ts'
import { findSummary } from './summaries.ts'
import { tellCall, tellFrame, tellMail } from './sentence.ts'
import { findJson } from '../../contract/records/decoded-text.ts'

export function tellEntry(entry: JournalEntry): string {
  if (entry.frame) return tellFrame(entry.frame)
  const { operation, request, response, why, ...rest } = entry
  return tellCall({
    ...rest,
    summary: findSummary(operation),
    body: request?.fields ?? request?.body,
    reply: response?.body,
    why: why && withRule(why),
  })
}

/** Only a replay knows why a call was refused. */
export function tellStep(step: CaseStep, why?: { message: string; source?: string | undefined }): string {
  if ('frame' in step) return tellFrame(step.frame)
  if ('mail' in step) return tellMail(step.mail)
  if ('closed' in step) return `the stream of subscription ${step.closed.subscriptionId} ends`
  const { method, path: address, body, headers } = 'call' in step ? step.call : step.control
  const { status, body: reply = '' } = step.reply
  const [path = '', query] = address.split('?', 2)
  const text = typeof body === 'string' ? body : undefined
  const found = 'call' in step ? findCalledOperation(method, address, text) : undefined
  const answered = findJson(reply)
  return tellCall({
    caller: 'call' in step ? readCaller(headers) : 'the test',
    summary: findSummary(found?.operation),
    method,
    path,
    query,
    status,
    body: findJson(text),
    reply: answered,
    why: why ?? readWhy(answered),
  })
}

function readCaller(headers: Readonly<Record<string, string | string[]>>): string | undefined {
  const [caller] = [headers['vendorus-profId'] ?? headers['vendorus-profid'], headers['vendorus-guid']].flatMap(
    (each) => each ?? [],
  )
  return caller
}

/** The first finding names the rule where the message has no place. */
function withRule({ message, source, findings: [first] }: NonNullable<JournalEntry['why']>) {
  if (source !== undefined || !first) return { message, source }
  const isSaid = message.includes(first.message)
  return { message: isSaid ? message : `${message}: ${first.message}`, source: first.source }
}

function readWhy(reply: unknown): { message: string } | undefined {
  const { error } = (typeof reply === 'object' && reply !== null ? reply : {}) as { error?: { message?: unknown } }
  return typeof error?.message === 'string' ? { message: error.message } : undefined
}
