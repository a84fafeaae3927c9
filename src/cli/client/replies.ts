import { isCase } from '#contract/files/case.ts'
import { isDeep, MOST_LEVELS } from '#contract/files/depth.ts'
import { controlOperations } from '#contract/control/operations.ts'
import type { ControlOperation } from '#contract/control/routes.ts'
import { noContent, type OperationContract } from '#contract/operation.ts'
import { explain, writePath } from '#contract/records/issues.ts'
import { SNAPSHOT_TYPE } from '#contract/records/snapshot.ts'
import { headerLine, parseSnapshot } from '#contract/records/snapshot-reading.ts'
import type { Answer, Wrong } from '#tools/client/answers.ts'

export function findWrong(name: ControlOperation, { status, text }: Answer): Wrong | undefined {
  const { reply, produces }: OperationContract = controlOperations[name]
  if (reply === noContent) return status === 204 ? undefined : { expected: '204 without a body' }
  if (produces?.includes('application/jsonl')) return isCase(text) ? undefined : { expected: 'a case' }
  if (produces?.includes(SNAPSHOT_TYPE)) return findDamage(text)
  const why = findFlaw(reply, text)
  const fields = 'shape' in reply ? ` with ${Object.keys(Object(reply.shape)).join(', ')}` : ''
  return why === undefined ? undefined : { expected: `JSON${fields}`, why }
}

function findDamage(text: string): Wrong | undefined {
  const [first] = parseSnapshot(Buffer.from(text))
  if (headerLine.safeParse(first?.value).success) return undefined
  return { expected: 'a snapshot', why: first?.wrong && `${first.at} ${first.wrong}` }
}

function findFlaw(schema: OperationContract['reply'], text: string): string | undefined {
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
