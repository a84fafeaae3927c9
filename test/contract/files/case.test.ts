import { expect, test } from 'vitest'
import { isCase, parseCase, UnusableCase } from '../../../src/contract/files/case.ts'

const header = '{"case":2,"origin":"upstream"}'
const step = (number: number) =>
  JSON.stringify({
    step: number,
    at: '2026-03-31T14:00:00.000Z',
    call: { method: 'GET', path: '/stg/us/contact/reason', headers: {} },
    reply: { status: 200 },
  })
const write = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')

test('a case may start with a byte order mark or have Windows line ends', () => {
  const text = write(header, step(1))
  for (const spelt of [`\ufeff${text}`, text.replaceAll('\n', '\r\n')]) {
    expect([isCase(spelt), parseCase(spelt)]).toEqual([true, parseCase(text)])
  }
})

test('a case with a newer version is rejected with an error that contains both versions', () => {
  expect(() => parseCase(write('{"case":9}', step(1)))).toThrow(
    new UnusableCase('line 1 has case version 9, but this server reads version 2'),
  )
})

test('a file whose first line is not the header of a case is rejected', () => {
  expect(() => parseCase(write(step(1)))).toThrow(
    new UnusableCase('line 1 is not the header of a case. Use a file that vendor-cloud has recorded'),
  )
})

test('a repeated step number is rejected with its line number', () => {
  expect(() => parseCase(write(header, step(1), step(2), step(2)))).toThrow(new UnusableCase('line 4 repeats step 2'))
  expect(parseCase(write(header, step(1), step(3))).steps.map((each) => each.step)).toEqual([1, 3])
})
