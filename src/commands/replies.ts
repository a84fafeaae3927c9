import { isCase } from '../contract/cases/case-file.ts'
import { isDeep, MOST_LEVELS } from '../contract/cases/depth.ts'
import type { Answer, Wrong } from '../tools/control-client/answers.ts'
import { replies, type ReplySchema } from '../contract/records/replies.ts'
import { explain, writePath } from '../contract/records/issues.ts'

/** What is wrong with the answer to a call such as `GET journal?limit=20`. */
export function findWrong(call: string, { status, text }: Answer): Wrong | undefined {
  const reply = Object.entries(replies).find(([operation]) => toPattern(operation).test(call))?.[1]
  if (reply === undefined) throw new Error(`no command knows what ${call} answers`)
  if (reply === '204 without a body') return status === 204 ? undefined : { expected: reply }
  if (reply === 'a case') return isCase(text) ? undefined : { expected: reply }
  const why = findFlaw(reply, text)
  return why === undefined ? undefined : { expected: `JSON with ${Object.keys(reply.shape).join(', ')}`, why }
}

function toPattern(operation: string): RegExp {
  return new RegExp(`^${operation.replace(/:\w+/g, '[^/?]+')}(?:\\?|$)`)
}

function findFlaw(schema: ReplySchema, text: string): string | undefined {
  if (isDeep(text)) return `it has more than ${MOST_LEVELS} levels`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'it is no JSON'
  }
  const [issue] = explain(schema, value).error?.issues ?? []
  return issue && `${writePath('', issue.path) || 'it'} ${issue.message}`
}
