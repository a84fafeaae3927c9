import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CaseStep } from '../../../src/contract/records/control/case.ts'
import { writeWithoutSecrets } from '../../../src/server/trace/secrets.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function write(body: string) {
  const call = { method: 'POST', path: '/stg/us/guest/customerFeedback', headers: {}, body }
  const steps: CaseStep[] = [{ step: 1, at: '2026-05-06T16:00:00.000Z', call, reply: { status: 400 } }]
  let [text, turns] = ['', 0]
  const giveWay = () => void turns++
  const known = { sha256, isPublished: () => false, issued: [], giveWay }
  const header = {
    case: 1 as const,
    version: '1.0.0',
    world: 'default',
    seed: '00',
    head: 0,
    start: '2026-05-06T16:00:00.000Z',
    changed: { schemaVersion: 1 },
  }
  for await (const part of writeWithoutSecrets(header, steps, known)) text += part
  return { text, turns }
}

const bodies: Readonly<Record<string, (secret: string) => string>> = {
  'fields of JSON': (secret) => `"password":"${secret}"`,
  'objects within a secret': (secret) => `{"token":{"a":{"b":["${secret}"]}}}`,
  elements: (secret) => `<password>${secret}</password>`,
  'parameters of a form': (secret) => `&token=${secret}`,
  'addresses in addresses': (secret) =>
    `&next=${encodeURIComponent(`/a?b=${encodeURIComponent(`/c?token=${secret}`)}`)}`,
  'escaped names': (secret) => `"pass\\u0077ord":"${secret}"`,
  'parts of a form': (secret) => `\r\n--b\r\ncontent-disposition: form-data; name="password"\r\n\r\n${secret}`,
}

test.each(Object.entries(bodies))(
  'a body of thousands of secrets is written with a rest every few of them: %s',
  async (_, spell) => {
    const secrets = Array.from({ length: 4000 }, (_, i) => `canary${i}x${i % 7}`)
    const fields = secrets.map(spell)
    const [first = ''] = fields[0]!
    const body = first === '"' ? `{${fields.join()}}` : first === '{' ? `[${fields.join()}]` : fields.join('')
    const { text, turns } = await write(body)
    expect(text.includes('canary')).toBe(false)
    // Each secret is told in the head of the case, with a rest behind it.
    expect(turns - secrets.length).toBeGreaterThan(200)
  },
)

test.each(['"name":"a"', 'name="a"', '\\"', '{}\n'])(
  'a long body is read in many turns where nothing in it is a secret: %j',
  async (piece) => {
    const { text, turns } = await write(`token ${piece.repeat(200_000 / piece.length)}`)
    expect(text.includes('{{token')).toBe(false)
    expect(turns).toBeGreaterThan(150)
  },
)

test('a megabyte of beginnings of tokens, none of which ends, is read in one pass', async () => {
  const { text } = await write('eyJ-'.repeat(250_000))
  expect(text.includes('{{token')).toBe(false)
})

test('secrets of one beginning and of hundreds of lengths are sought in a text of that beginning', async () => {
  const fields = Array.from({ length: 400 }, (_, i) => `"token":"${'a'.repeat(i + 8)}1"`)
  const { text } = await write(`{${fields.join()}}${'a'.repeat(100_000)}`)
  expect(text.match(/\{\{token/g)).toHaveLength(400)
})
