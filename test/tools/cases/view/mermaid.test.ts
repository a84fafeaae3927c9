import { expect, test } from 'vitest'
import type { CaseStep } from '../../../../src/contract/files/case.ts'
import { toCaseView } from '../../../../src/tools/cases/view/case-view.ts'
import { toMermaid } from '../../../../src/tools/cases/view/mermaid.ts'
import { makeHostileCase } from './hostile-case.ts'

const plain = makeHostileCase(['plain'])
const call = { method: 'GET', path: '/stg', headers: {} }
const many: CaseStep[] = Array.from({ length: 300 }, (_, i) => {
  return { step: i + 1, at: '2026-05-06T16:00:00.000Z', call, reply: { status: 200 } }
})

test('a diagram shows the first 150 steps or the 150 up to a given step', () => {
  const first = toMermaid(toCaseView({ ...plain, steps: many }))
  expect(first.match(/->>VENDOR/g)).toHaveLength(150)
  expect(first).toContain('150 of 300 steps')
  const last = toMermaid(toCaseView({ ...plain, steps: many }), 300)
  expect(last.match(/CLIENT->>VENDOR: (\d+)/g)?.at(-1)).toContain('300')
  expect(last.match(/->>VENDOR/g)).toHaveLength(150)
})

test('a diagram omits participants that send and receive no messages', () => {
  const text = toMermaid(toCaseView({ ...plain, steps: many }))
  expect(text.match(/participant \w+/g)).toEqual(['participant CLIENT', 'participant VENDOR'])
  expect(toMermaid(toCaseView(plain)).match(/participant/g)).toHaveLength(4)
})

test('text from a case never becomes a directive, comment, markup or line of the diagram', () => {
  const text = toMermaid(toCaseView(makeHostileCase()))
  const line =
    /^ {2}(?:title |participant |Note (?:over CLIENT,VENDOR|right of VENDOR): |\w+(?:->>|-->>|--x|-\))\w+: )(.*)$/
  for (const each of text.trimEnd().split('\n').slice(1)) {
    const [, said] = line.exec(each) ?? []
    expect(said, each).toMatch(/^(?:[\p{L}\p{N} /?=.,:…-]|#\d+;)*$/u)
  }
})

test('a diagram names the operation of a SOAP call', () => {
  const body = '<e:Body><ws:getSubscriptionStatus><serviceToken>'
  const soap = { method: 'POST', path: '/iap/ws/RTCService', headers: {}, body }
  const text = toMermaid(toCaseView({ ...plain, steps: [{ ...many[0]!, call: soap } as CaseStep] }))
  expect(text).toContain('CLIENT->>VENDOR: 1 POST /iap/ws/RTCService getSubscriptionStatus\n')
})
