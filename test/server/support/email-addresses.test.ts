import { expect, test } from 'vitest'
import { asErin, asWeb, buildTestApp } from '../../helpers/build-test-app.ts'

const [local, label] = ['a'.repeat(64), 'b'.repeat(63)]
const valid = [
  'o&m@example.org',
  'anna@xn--e1afmkfd.xn--p1ai',
  'jörg@müller.example',
  'उदाहरण@उदाहरण.example',
  '.a..b.@localhost',
  "!#$%&'*+/=?^_`{|}~-@example.org",
  `${local}@example.org`,
  `a@${label}.example`,
]
const invalid = [
  'pat',
  '@example.org',
  'a@',
  'a b@example.org',
  'a@b@example.org',
  'a@b..example',
  'a@example.org.',
  'a@-b.example',
  'a@b-.example',
  'a@b_c.example',
  'a@\u{1f600}.example',
  '"a"@example.org',
  `${local}a@example.org`,
  `a@${label}b.example`,
]

test.each([
  ['4', 'POST', '/stg/us/customerFeedback'],
  ['7', 'POST', '/stg/us/dealer/customers'],
  ['13', 'POST', '/stg/us/dealer/customers/1000000001'],
  ['22', 'POST', '/stg/us/guest/customerFeedback'],
  ['33', 'POST', '/stg/us/instore/create'],
  ['23', 'POST', '/stg/us/guest/product/validation?prdId=0TV55XYZ12A&modelCode=VM-TV55'],
  ['profiles', 'PUT', '/_control/records/profiles/profile:pat'],
] as const)(
  'operation %s accepts the email addresses of HTML email inputs in any writing system',
  async (name, method, path) => {
    const { app } = buildTestApp()
    const headers = path.includes('dealer') ? asErin() : asWeb('web-alice')
    const isRejected = async (email: string) => {
      const url = name === '23' ? `${path}&email=${encodeURIComponent(email)}` : path
      const { body } = await app.inject({ method, url, headers, payload: name === '23' ? {} : { email } })
      return body.includes('email must be an e-mail address')
    }
    for (const email of valid) expect([email, await isRejected(email)]).toEqual([email, false])
    for (const email of invalid) expect([email, await isRejected(email)]).toEqual([email, true])
  },
)

test('an email address has at most 254 characters and is stored as sent', async () => {
  const { app } = buildTestApp()
  const edit = (email: string) =>
    app.inject({
      method: 'POST',
      url: '/stg/us/dealer/customers/1000000001',
      headers: asErin(),
      payload: { email },
    })
  expect((await edit('Jörg@Müller.example')).json().body.email).toBe('Jörg@Müller.example')
  const longest = `a@${'b.'.repeat(125)}cd`
  expect([longest.length, (await edit(longest)).statusCode]).toEqual([254, 200])
  const reply = await edit(`a${longest}`)
  expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining('"our choice: email-form"')])
})
