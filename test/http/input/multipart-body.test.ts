import { expect, test } from 'vitest'
import { UnreadableBody } from '../../../src/http/input/json-body.ts'
import { type FormPart, readMultipart } from '../../../src/http/input/multipart-body.ts'
import { BOUNDARY, multipartType, newForm } from '../../helpers/multipart.ts'

function partsOf(body: string | Buffer, contentType = multipartType): FormPart[] {
  const parts = readMultipart(Buffer.from(body), contentType)
  if (parts instanceof UnreadableBody) throw new Error(parts.finding.message)
  return parts
}

function messageOf(body: string | Buffer, contentType: string | undefined = multipartType): string {
  const parts = readMultipart(Buffer.from(body), contentType)
  return parts instanceof UnreadableBody ? parts.finding.message : `read ${parts.length} parts`
}

const disposition = 'content-disposition: form-data; name="a"'

test('parts come with their names and exact bytes, line ends and near-boundaries included', () => {
  const content = Buffer.from([0, 13, 10, 45, 45, 97, 255, 13, 10, 13, 10, 45, 45])
  const parts = partsOf(
    newForm([
      { name: 'one', content: '' },
      { name: 'two', fileName: 'x.png', content },
    ]),
  )
  expect(parts).toMatchObject([
    { name: 'one', fileName: undefined },
    { name: 'two', fileName: 'x.png' },
  ])
  expect(parts.map(({ bytes }) => [...bytes])).toEqual([[], [...content]])
})

test('what stands before the first and behind the last boundary is no part', () => {
  expect(partsOf(`preamble\r\n--${BOUNDARY}\r\n${disposition}\r\n\r\nx\r\n--${BOUNDARY}--\r\nepilogue`)).toHaveLength(1)
})

test('white space behind a boundary, header names in any case and a part without content are read', () => {
  const body = `--${BOUNDARY} \t\r\nCONTENT-Disposition: form-data; NAME=a; filename=b.png\r\n\r\n--${BOUNDARY}--`
  const [part] = partsOf(body)
  expect(part).toMatchObject({ name: 'a', fileName: 'b.png' })
  expect(part!.bytes).toHaveLength(0)
})

test('a file without a name is told from a field by its type', () => {
  const parts = partsOf(
    newForm([
      { type: 'image/png', content: 'x' },
      { type: 'text/plain', content: 'x' },
    ]),
  )
  expect(parts.map(({ fileName }) => fileName)).toEqual(['', undefined])
})

test('a boundary may be quoted and hold spaces', () => {
  const body = `--two words\r\n${disposition}\r\n\r\nx\r\n--two words--`
  expect(partsOf(body, 'Multipart/Form-Data; charset=utf-8; Boundary="two words"')).toHaveLength(1)
})

test('a body that is no multipart form is refused with its reason', () => {
  const form = newForm([{ content: 'x' }])
  for (const type of [
    '',
    'application/json',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/mixed; boundary=a',
  ]) {
    expect(messageOf(form, type), type).toContain('multipart/form-data with a boundary')
  }
  expect(messageOf(form, `multipart/form-data; boundary=${'x'.repeat(71)}`)).toContain('with a boundary')
  expect(messageOf('', multipartType)).toContain('does not occur')
  expect(messageOf(form, 'multipart/form-data; boundary=another')).toContain('does not occur')
})

test('a body that is cut anywhere before its closing boundary is refused', () => {
  const form = newForm([
    { name: 'a', content: 'x' },
    { fileName: 'y', content: 'y' },
  ])
  const end = form.lastIndexOf('--')
  for (let length = 0; length < end + 2; length++) {
    expect(messageOf(form.subarray(0, length)), String(length)).not.toContain('read')
  }
})

test('parts without a name, with endless headers or without number are refused', () => {
  for (const head of ['', 'x: y', 'content-disposition: attachment; name="a"', 'content-disposition: form-data']) {
    expect(messageOf(`--${BOUNDARY}\r\n${head}\r\n\r\nx\r\n--${BOUNDARY}--`), head).toContain('without a readable name')
  }
  expect(messageOf(newForm([{ name: 'n'.repeat(5000), content: '' }]))).toContain('without a readable name')
  expect(messageOf(newForm(Array.from({ length: 101 }, () => ({ content: '' }))))).toContain('more than 100 parts')
})
