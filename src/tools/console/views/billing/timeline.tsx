import { toMinute } from '../../text.ts'
import type { Payment, Purchase } from '../../types.ts'
import type { Payments } from './purchases.ts'

const WIDTH = 640
const HEIGHT = 132
const LEFT = 24
const RIGHT = 24
const LINE = 66

export function Timeline({ purchase, payments, now }: { purchase: Purchase; payments: Payments; now: number }) {
  const paid = payments.items.slice(0, 24)
  const start = Date.parse(paid.length < payments.totalCount ? (paid.at(-1)?.at ?? '') : purchase.purchasedAt)
  const next = payments.nextPaymentAt === undefined ? undefined : Date.parse(payments.nextPaymentAt)
  const cancelled = payments.cancellation && Date.parse(payments.cancellation.at)
  const last = Math.max(now, next ?? 0, ...paid.map(({ at }) => Date.parse(at)), cancelled ?? 0)
  const end = last + (last - start || 1) * 0.06
  const x = (at: number) => LEFT + ((Math.max(at, start) - start) / (end - start)) * (WIDTH - LEFT - RIGHT)
  const label = [
    `${payments.totalCount} payments since ${toMinute(purchase.purchasedAt)}`,
    next === undefined ? 'no further payment' : `the next at ${toMinute(next)}`,
    `the clock stands at ${toMinute(now)}`,
  ].join(', ')
  return (
    <svg class="timeline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <line stroke="var(--input)" stroke-width="2" x1={x(start)} x2={WIDTH - RIGHT} y1={LINE} y2={LINE} />
      <line stroke="var(--primary)" stroke-width="3" x1={x(start)} x2={x(Math.min(now, last))} y1={LINE} y2={LINE} />
      <text x={x(start)} y={LINE + 34}>
        {toMinute(start).slice(0, 10)}
      </text>
      {paid.map((payment) => (
        <Paid key={payment.number} payment={payment} x={x(Date.parse(payment.at))} />
      ))}
      {next === undefined ? null : (
        <g>
          <circle cx={x(next)} cy={LINE} r={7} fill="var(--card)" stroke="var(--primary)" stroke-width="2" />
          <text text-anchor="end" x={x(next)} y={LINE + 34}>
            {isLong(end - start) ? `next ${toMinute(next).slice(0, 10)}` : `next ${toMinute(next).slice(11)}`}
          </text>
        </g>
      )}
      {cancelled === undefined ? null : (
        <g stroke="var(--danger)">
          <path d={`M${x(cancelled) - 6} ${LINE - 6}l12 12m0 -12l-12 12`} stroke-width="3" />
          <text stroke="none" text-anchor="middle" x={x(cancelled)} y={LINE + 52}>
            cancelled
          </text>
        </g>
      )}
      <g>
        <line x1={x(now)} x2={x(now)} y1={22} y2={LINE + 16} stroke="var(--danger)" stroke-dasharray="4 3" />
        <text text-anchor={x(now) > WIDTH - 90 ? 'end' : x(now) < 90 ? 'start' : 'middle'} x={x(now)} y={14}>
          {toMinute(now)}
        </text>
      </g>
    </svg>
  )
}

function Paid({ payment: { number, plan, price, at }, x }: { payment: Payment; x: number }) {
  return (
    <g>
      <circle cx={x} cy={LINE} r={7} fill={plan === 'T' ? 'var(--calm)' : 'var(--primary)'} />
      <text text-anchor="middle" x={x} y={LINE - 15}>
        {number}
      </text>
      <title>{`Payment ${number}: ${price} at ${toMinute(at)}`}</title>
    </g>
  )
}

/** Over several days dates tell more than times of day. */
function isLong(length: number): boolean {
  return length > 3 * 86_400_000
}
