import { oneOf, UsageError } from '../input-output.ts'
import { renameSync, writeFileSync } from 'node:fs'
import { describeFailure } from '#contract/failures.ts'
import { Comparison } from '#tools/compare/comparison.ts'
import { compareTraffic } from '#tools/proxy/compared-traffic.ts'
import type { NamedHost } from '#contract/documents/named-hosts.ts'
import type { Target } from '../client/client.ts'
import type { CommandOutput } from '../input-output.ts'
import { type Answering, openWorld } from './answering.ts'
import { describeUpstream, readUpstream, type UpstreamOptions } from './upstream.ts'

export interface CompareOptions extends UpstreamOptions, Target {
  answer?: string | undefined
}

/** Minimum milliseconds between two updates of the report. The final report is always written. */
const BETWEEN = 1000

export async function openCompare(
  options: CompareOptions,
  hosts: readonly NamedHost[],
  { stderr }: CommandOutput,
): Promise<Answering> {
  const answers = oneOf(options.answer ?? 'upstream', ['upstream', 'emulator'])
  const { upstream, out } = readUpstream('compare', options)
  const world = await openWorld(options)
  const named = hosts.flatMap(({ host }) => [`https://${host}`, `http://${host}`])
  const base = `${upstream.url.origin}${upstream.url.pathname.replace(/\/$/, '')}`
  const bases = { ours: [...named.map((each) => each + world.prefix), ...named], theirs: [base, ...named] }
  const comparison = new Comparison({ upstream: upstream.url.origin, bases })
  const report = openReport(out, comparison, (reason) => stderr.write(`cannot write ${out}: ${reason}\n`))
  const traffic = compareTraffic({
    upstream,
    ours: world.destination,
    answers,
    comparison,
    compared: report.touch,
  })
  return {
    about: { Upstream: describeUpstream(upstream), ...world.about, Answers: answers, Report: out },
    begin: report.begin,
    answer: traffic.answer,
    async close() {
      await traffic.idle()
      await upstream.dispatcher.destroy()
      await world.close()
      report.close()
    },
  }
}

/** The report replaces its file atomically, so that readers always find a complete one. */
function openReport(out: string, comparison: Comparison, tell: (reason: string) => void) {
  let timer: NodeJS.Timeout | undefined
  let isOpen = false
  const text = () => `${JSON.stringify(comparison.report(), undefined, 2)}\n`
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    try {
      writeFileSync(`${out}.part`, text(), { mode: 0o600 })
      renameSync(`${out}.part`, out)
    } catch (error) {
      tell(describeFailure(error))
    }
  }
  return {
    begin() {
      try {
        writeFileSync(out, text(), { flag: 'wx', mode: 0o600 })
        isOpen = true
      } catch (error) {
        throw new UsageError(`cannot write ${out}: ${describeFailure(error)}`)
      }
    },
    touch() {
      timer ??= setTimeout(save, BETWEEN)
    },
    close() {
      if (isOpen) save()
    },
  }
}
