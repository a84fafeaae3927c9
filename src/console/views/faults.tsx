import { call } from '../api.ts'
import { useAct, useLoad } from '../hooks.ts'
import { Badge, Empty, Loading, Refusal } from '../parts/state.tsx'
import { count } from '../text.ts'
import type { Page } from '../types.ts'
import { NewFault } from './new-fault.tsx'

export interface Fault {
  faultId: string
  match: { operation?: number | string; path?: string; soapOperation?: string }
  respond?: { status?: number; code?: string; fault?: number; resultCode?: string; reset?: true }
  delayMs?: number
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

function toTarget({ match: { operation, path, soapOperation } }: Fault): string {
  const name = typeof operation === 'number' ? `operation ${operation}` : operation
  return [name, path, soapOperation].filter(Boolean).join(', ')
}

function toEffect({ respond, delayMs, times, probability }: Fault): string {
  const { status, code, fault, resultCode, reset } = respond ?? {}
  const answer =
    (status !== undefined && `answers ${status}${code ? ` ${code}` : ''}`) ||
    (fault !== undefined && `answers SOAP fault ${fault}`) ||
    (resultCode !== undefined && `answers ${resultCode}`) ||
    (reset && 'resets the connection')
  return [
    answer,
    delayMs !== undefined && `delays by ${delayMs} ms`,
    times === undefined ? 'until it is removed' : `${count(times, 'time')} at most`,
    probability !== undefined && `with probability ${probability}`,
  ]
    .filter(Boolean)
    .join(', ')
}
