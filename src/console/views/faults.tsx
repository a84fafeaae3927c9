import { call } from '../api.ts'
import { useAct, useLoad } from '../hooks.ts'
import { Badge, Empty, Loading, Refusal } from '../parts/state.tsx'
import { count } from '../text.ts'
import type { Page } from '../types.ts'
import { NewFault } from './new-fault.tsx'

export interface Fault {
  faultId: string
  match: { operation?: number | string; path?: string; soapOperation?: string } & Record<string, unknown>
  respond?: { status?: number; code?: string; fault?: number; resultCode?: string } & Record<string, unknown>
  when?: 'before' | 'after'
  delayMs?: number | Record<string, number>
  name?: string
  times?: number
  probability?: number
  struck: number
}

/** Failures on purpose, to see how a client takes them. */
export function Faults() {
  const { data, error } = useLoad<Page<Fault>>('faults')
  const act = useAct()
  return (
    <section>
      <div class="title-row">
        <h1>Faults</h1>
        <button
          type="button"
          disabled={act.busy || !data?.totalCount}
          onClick={() => void act.run(() => call('DELETE', 'faults'))}
        >
          Remove all
        </button>
      </div>
      <NewFault />
      <Refusal error={error ?? act.error} />
      {!data && !error ? <Loading /> : null}
      {data?.totalCount === 0 ? (
        <Empty title="Nothing fails on purpose.">
          <p>A fault answers in the document's own dialect: an error body, a SOAP fault, a result code, or a reset.</p>
        </Empty>
      ) : null}
      <ul class="faults" aria-label="Faults">
        {data?.items.map((fault) => (
          <li key={fault.faultId} class="panel">
            <div>
              <strong>{toTarget(fault)}</strong>
              <p>{toEffect(fault)}</p>
            </div>
            <Badge tone={fault.struck > 0 ? 'warn' : 'plain'}>struck {count(fault.struck, 'time')}</Badge>
            <button
              type="button"
              disabled={act.busy}
              onClick={() => void act.run(() => call('DELETE', `faults/${fault.faultId}`))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function toTarget({ name, match: { operation, ...rest } }: Fault): string {
  const others = Object.entries(rest).map(([criterion, value]) =>
    typeof value === 'string' ? value : `${criterion} ${JSON.stringify(value)}`,
  )
  const asked = typeof operation === 'number' ? `operation ${operation}` : operation
  return [name && `${name}:`, asked, ...others].filter(Boolean).join(' ')
}

function toEffect({ respond = {}, when, delayMs, times, probability }: Fault): string {
  const { status, code, fault, resultCode, ...others } = respond
  const answer =
    (status !== undefined && `answers ${status}${code ? ` ${code}` : ''}`) ||
    (fault !== undefined && `answers SOAP fault ${fault}`) ||
    (resultCode !== undefined && `answers ${resultCode}`) ||
    Object.entries(others)
      .map(([form, value]) => (value === true ? form : `${form} ${String(value)}`))
      .join(' ')
  const delay = typeof delayMs === 'object' ? JSON.stringify(delayMs) : delayMs
  return [
    when === 'after' ? `does the work, then ${answer || 'answers'}` : answer,
    delay !== undefined && `delays by ${delay} ms`,
    times === undefined ? 'until it is removed' : `${count(times, 'time')} at most`,
    probability !== undefined && `with probability ${probability}`,
  ]
    .filter(Boolean)
    .join(', ')
}
