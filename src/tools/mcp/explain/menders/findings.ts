import { sayValue, valueAt, withValue } from '../call-places.ts'
import { listKnown } from '../known/identifiers.ts'
import type { Change, Ground, Mender, Refused } from '../mender.ts'
import { nearestFirst } from '../known/records.ts'
import type { RefusalFinding } from '../refusal.ts'
import { findSlots, slotFields } from '../known/slots.ts'
import { suggest } from '../known/values.ts'
import type { Call } from '../../calls/call.ts'

/** Further values of one finding are tried with the best values of all others. */
const MOST = 4
/** A call with more findings has no outcome that could be called near. */
const MOST_FINDINGS = 30

/** A value may stand under a misspelt name while its own field counts as missing. */
export const mendNames: Mender = (_, { call, refusal: { ignored = [], findings } }) => {
  const isMissing = (target: string) => findings.some((each) => each.target === target)
  const meant = ignored.filter(
    ({ name, near }) => isMissing(`${name.split('.', 1)[0]}.${near}`) && valueAt(call, name) !== undefined,
  )
  if (meant.length === 0) return []
  const told = meant.map(({ name, near }) => `${name} is spelt ${near}`).join(', ')
  return [{ call: meant.reduce((changed, { name, near }) => rename(changed, name, near!), call), told }]
}

function rename(call: Call, name: string, near: string): Call {
  const [part = ''] = name.split('.', 1)
  return withValue(withValue(call, `${part}.${near}`, valueAt(call, name)), name, undefined)
}

/** All findings are mended at once; then further values are tried for one of them. */
export const mendFindings: Mender = async (ground, { call, refusal }) => {
  const { operation } = call
  if (!operation || refusal.findings.length === 0 || refusal.findings.length > MOST_FINDINGS) return []
  const isSlot = refusal.findings.some(({ target }) => slotFields.has(target))
  const others = refusal.findings.filter(({ target }) => !slotFields.has(target))
  const values = await Promise.all(others.map((finding) => findValues(ground, { call, refusal }, finding)))
  const best = apply(
    call,
    others,
    values.map(([first]) => first),
  )
  if (isSlot) return withSlots(ground, best)
  const further = values.flatMap((list, at) =>
    list.slice(1, MOST).map((value) =>
      apply(
        call,
        others,
        values.map(([first], index) => (index === at ? value : first)),
      ),
    ),
  )
  return [best, ...further].filter((change) => change.told !== '')
}

async function withSlots({ fork }: Ground, change: Change): Promise<Change[]> {
  const slots = await findSlots(fork, change.call)
  return slots.slice(0, MOST).map(({ take, told }) => ({
    call: take(change.call),
    told: [change.told, told].filter(Boolean).join(', '),
  }))
}

/** Undefined leaves the field out, which mends a field that must not be there. */
async function findValues({ fork }: Ground, { call }: Refused, finding: RefusalFinding): Promise<unknown[]> {
  const given = valueAt(call, finding.target)
  const name =
    finding.target
      .replace(/\[\d+\]$/, '')
      .split('.')
      .at(-1) ?? ''
  const suggested = suggest(call.operation!, finding, given)
  const known = await listKnown(fork, call, name)
  if (!known || known.length === 0) return suggested.length > 0 ? suggested : [undefined]
  if (given === undefined || given === '') {
    const [sample] = suggested
    return typeof sample === 'string' && known.includes(sample) ? [sample, ...known] : [...known, ...suggested]
  }
  // A value that is cut or written otherwise is nearer than another record.
  const [first] = suggested
  const written =
    typeof first === 'string' && known.includes(first) && first.toLowerCase() === String(given).toLowerCase()
  return written ? suggested : [...nearestFirst(given, known).slice(0, MOST), ...suggested]
}

function apply(call: Call, findings: readonly RefusalFinding[], values: readonly unknown[]): Change {
  const told = findings.map(({ target }, at) =>
    values[at] === undefined ? `${target} is left out` : `${target} is ${sayValue(values[at])}`,
  )
  return {
    call: findings.reduce((changed, { target }, at) => withValue(changed, target, values[at]), call),
    told: told.join(', '),
  }
}
