import { Agent } from 'undici'
import { describeFailure } from '#contract/failures.ts'
import { systemClock, systemTimer } from '#server/adapters/node/clock.ts'
import { CaseWriter, type RecordedTraffic, recordTraffic } from '#tools/proxy/recorded-traffic.ts'
import { Rate } from '#tools/compare/rate.ts'
import { createBounds } from '#tools/proxy/bounded-reply.ts'
import { relay } from '#tools/proxy/relay.ts'
import { admit, toDestination, type Upstream } from '#tools/proxy/upstream.ts'
import { RATE, readRate, readUpstreamUrl, readWrites } from '../option-values.ts'
import { type CommandOutput, refuseExisting, UsageError } from '../input-output.ts'
import { openRedactor } from '../published.ts'
import type { Answering } from './answering.ts'

export interface UpstreamOptions {
  upstream?: string | undefined
  out?: string | undefined
  'allow-writes'?: string | undefined
  rate?: string | undefined
}

/** Creates no file and sends no request, so that errors in options are reported first. */
export function readUpstream(mode: string, options: UpstreamOptions): { upstream: Upstream; out: string } {
  const { upstream: given, out, rate = String(RATE), 'allow-writes': writes } = options
  if (given === undefined) throw new UsageError(`--mode ${mode} requires --upstream URL`)
  if (out === undefined || out === '-') throw new UsageError(`--mode ${mode} requires --out FILE`)
  const url = readUpstreamUrl(given)
  const perSecond = new Rate(readRate(rate), systemTimer)
  const allowed = readWrites(writes)
  refuseExisting(out)
  return {
    upstream: { url, dispatcher: new Agent(), allowed, rate: perSecond, bounds: createBounds(systemTimer) },
    out,
  }
}

export function describeUpstream({ url, allowed }: Upstream): string {
  const writes =
    allowed === 'all' ? 'reads and writes' : ['reads', ...[...allowed].map((each) => `operation ${each}`)].join(', ')
  return `${url.origin}${url.pathname.replace(/\/$/, '')} (${writes})`
}

export async function openRecord(options: UpstreamOptions, { stderr }: CommandOutput): Promise<Answering> {
  const { upstream, out } = readUpstream('record', options)
  const redactor = await openRedactor()
  let traffic: RecordedTraffic | undefined
  return {
    about: { Upstream: describeUpstream(upstream), Case: out },
    begin() {
      const tell = (reason: string) => stderr.write(`stopped recording to ${out}: ${reason}. The proxy continues\n`)
      traffic = { writer: openWriter(out, tell), redactor, now: systemClock.now }
    },
    async answer(call) {
      const admitted = await admit(upstream, call)
      if (!admitted) return
      const observer = recordTraffic(traffic!, call)
      await relay(toDestination(upstream, call), call, { ...admitted, observer })
    },
    async close() {
      await upstream.dispatcher.destroy()
      traffic?.writer.close()
    },
  }
}

function openWriter(out: string, tell: (reason: string) => void): CaseWriter {
  try {
    return new CaseWriter(out, tell)
  } catch (error) {
    throw new UsageError(`cannot write ${out}: ${describeFailure(error)}`)
  }
}
