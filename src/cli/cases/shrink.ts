import { type Case, parseCase, renumber, UnusableCase, writeCase, type CaseStep } from '#contract/files/case.ts'
import { shrinkList } from '#tools/cases/shrink.ts'
import { diffTexts } from '#tools/cases/structural-diff.ts'
import { IdMapping } from '#tools/cases/id-mapping.ts'
import type { HttpHeaders, HttpResponse } from '#contract/exchange.ts'
import { passingReplyHeaders } from '#contract/files/passing-headers.ts'
import { defineCommand } from '../command.ts'
import { toStepNumber } from '#tools/cases/player/case-points.ts'
import { CasePlayer, movesClock } from '#tools/cases/player/case-player.ts'
import { exitCodes, readText, refuseExisting, writeResult } from '../input-output.ts'
import { asUsageError } from './replay.ts'
import { startCaseServer } from './start-case-server.ts'

export const shrink = defineCommand({
  words: { '<FILE>': 'the case' },
  options: {
    out: {
      takes: 'FILE',
      about: 'Write the smaller case to this file; an existing file is not overwritten',
      required: true,
    },
    step: { takes: 'N', about: 'Keep the response of this step instead of the last one' },
  },
  example: 'case shrink failing.jsonl --out small.jsonl',
  async run({ values, words: [file = ''] }, output) {
    refuseExisting(values.out)
    const given = await readText(file)
    return asUsageError('shrunk', async () => {
      const { header, steps } = parseCase(given)
      const small = await shrinkCase({ header, steps }, values.step === undefined ? undefined : Number(values.step))
      await writeResult(writeCase(small), values.out, output)
      output.stdout.write(`${small.steps.length} of ${steps.length} steps remain\n`)
      return exitCodes.ok
    })
  },
})

/** The response of `step` must not change. Default: the last step whose response a replay compares. */
export async function shrinkCase({ header, steps }: Case, step?: number): Promise<Case> {
  const target =
    step === undefined
      ? steps.findLast((each) => 'reply' in each && !movesClock(each))
      : steps[toStepNumber(steps, String(step)) - 1]
  if (!target || !('reply' in target) || movesClock(target)) {
    throw new UnusableCase(`step ${step ?? steps.length} has no response that a replay compares`)
  }
  const before = steps.slice(0, steps.indexOf(target)).filter((each) => 'reply' in each || 'closed' in each)
  let player = await CasePlayer.open(header, await startCaseServer(header))
  try {
    const holds = async (left: readonly CaseStep[]) => {
      player = await CasePlayer.again(player)
      return hasReply(player, [...left, target], target.reply)
    }
    if (!(await holds(before)))
      throw new UnusableCase('its responses differ from the recording. Run npx --no vendor-cloud replay to see where')
    const left = await shrinkList(before, holds)
    return { header, steps: await recordAgain(await CasePlayer.again(player), [...left, target]) }
  } finally {
    await player.close()
  }
}

/** IDs may differ, because the omitted steps no longer use up generated IDs. */
async function hasReply(player: CasePlayer, steps: readonly CaseStep[], expected: HttpResponse): Promise<boolean> {
  const idMapping = new IdMapping()
  for (const step of steps) {
    const outcome = await player.perform(step, idMapping.translate)
    if (!('reply' in step) || outcome.kind !== 'reply') continue
    const { status, body = '' } = outcome.reply
    const recorded = player.bindings.learn(step.reply.body ?? '', body)
    const differences = diffTexts('', recorded, body, { equal: idMapping.equal, fieldOrder: false })
    if (step === steps.at(-1)) return status === expected.status && differences.length === 0
  }
  return false
}

/** Records the remaining steps again, so that the shorter case can be replayed. */
async function recordAgain(player: CasePlayer, steps: readonly CaseStep[]): Promise<CaseStep[]> {
  const idMapping = new IdMapping()
  const recorded: CaseStep[] = []
  for (const step of steps) {
    const outcome = await player.perform(step, idMapping.translate)
    if ('reply' in step) recorded.push(outcome.kind === 'reply' ? toStep(player, step, outcome.reply, idMapping) : step)
    else recorded.push(step)
    for (const further of await player.takeAdditional()) {
      const text = JSON.stringify({ step: 1, at: step.at, ...further })
      recorded.push(JSON.parse(player.bindings.hide(text)) as CaseStep)
    }
  }
  return renumber(recorded)
}

type CallStep = Extract<CaseStep, { reply: HttpResponse }>

function toStep(player: CasePlayer, step: CallStep, actual: HttpResponse, idMapping: IdMapping): CallStep {
  const { body = '' } = actual
  const recorded = player.bindings.learn(step.reply.body ?? '', body)
  diffTexts('', recorded, body, { equal: idMapping.equal, fieldOrder: false })
  const call = 'call' in step ? step.call : step.control
  const sent = typeof call.body === 'string' ? { body: idMapping.translate(call.body) } : {}
  const named = { ...call, path: idMapping.translate(call.path), ...sent }
  const reply = hideSecrets(actual, player)
  // A replay does not compare a body that is not in the case, for example an image.
  if (step.reply.body === undefined && step.reply.status === actual.status) delete reply.body
  return 'call' in step ? { ...step, call: named, reply } : { ...step, control: named, reply }
}

/** A response may differ from the recorded one, for example if the fault that caused it was removed. */
function hideSecrets({ headers = {}, body, ...rest }: HttpResponse, { bindings }: CasePlayer): HttpResponse {
  const kept = Object.entries(headers).filter(([name]) => !passingReplyHeaders.has(name))
  return {
    ...rest,
    headers: JSON.parse(bindings.hide(JSON.stringify(Object.fromEntries(kept)))) as HttpHeaders,
    ...(body === undefined ? {} : { body: bindings.hide(body) }),
  }
}
