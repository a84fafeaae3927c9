import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeptRecord } from '../../../src/adapters/memory/kept-record.ts'
import { readField, toText } from '../../../src/adapters/memory/record-text.ts'
import { TextShelf } from '../../../src/adapters/memory/text-shelf.ts'
import { newTicket } from '../../helpers/records.ts'

const names = fc.oneof(fc.constantFrom('a', 'ab', 'b', 'a"', 'ä', '}', '{"a":'), fc.string())
const aRecord = fc.dictionary(names, fc.jsonValue({ noUnicodeString: false }), { maxKeys: 8 })

test('a field is read out of any text as parsing the whole would give it, wherever the text lies', () => {
  fc.assert(
    fc.property(aRecord, names, fc.string(), (record, other, around) => {
      const text = JSON.stringify(record)
      const bytes = Buffer.from(`${around}${text}${around}`)
      const start = Buffer.byteLength(around)
      const end = start + Buffer.byteLength(text)
      const parsed = JSON.parse(text) as Record<string, unknown>
      for (const name of [...Object.keys(parsed), other]) {
        const expected = Object.hasOwn(parsed, name) ? parsed[name] : undefined
        expect(readField(bytes, start, end, name)).toEqual(expected)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a text that is no record gives nothing, and is not read for ever', () => {
  for (const text of ['', '{', '{"', '{"a', '{"a"', '{"a":', '{"a":"', '{"a":"\\', '{"b":[{"', '[]', 'x', '{"b":1,']) {
    const bytes = Buffer.from(text)
    expect(() => readField(bytes, 0, bytes.length, 'c')).not.toThrow()
  }
})

test('a ticket is the same once it is read back, and what lists need of it comes first', () => {
  const ticket = newTicket({ problemDescription: 'It says "no signal" \\ \u{1f4fa}' })
  const text = toText('tickets', ticket)
  expect(JSON.parse(text)).toEqual(ticket)
  expect(text.indexOf('"phoneNumber"')).toBeLessThan(text.indexOf('"customer"'))
})

test('a kept record is what was kept, the same value each time, and nobody can change it', () => {
  const shelf = new TextShelf()
  const tickets = ['9410000001', '9410000002', '9410000003'].map((srid) => newTicket({ srid }))
  const kept = tickets.map((ticket) => new KeptRecord(Buffer.from(toText('tickets', ticket)), shelf))
  for (const [i, record] of kept.entries()) {
    expect(record.field('srid')).toBe(tickets[i]!.srid)
    const whole = record.read()
    expect(whole).toEqual(tickets[i])
    expect(record.read()).toBe(whole)
    expect(record.field('customer')).toBe(whole['customer'])
    expect(Object.isFrozen(whole)).toBe(true)
    expect(Object.isFrozen(whole['customer'])).toBe(true)
    expect(Object.isFrozen((whole['history'] as unknown[])[0])).toBe(true)
  }
})
