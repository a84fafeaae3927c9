import { expect, onTestFinished, test } from 'vitest'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'

test('a recording contains no credentials from request headers and can be replayed', async () => {
  const server = await startServer(readConfig({ PORT: '0' }))
  onTestFinished(() => server.close())
  const { url } = server
  await call(`${url}/_control/worlds`, 'POST', { name: 'ba' })
  const world = `${url}/w/ba`
  const grant = { user: 'u', scopes: [], locations: [], expiresIn: 60 }
  const bearer = String((await call(`${world}/_control/tokens`, 'POST', grant)).json['accessToken'])
  await call(`${world}/_control/recordings`, 'POST', {})
  const basic = btoa(`someone:${bearer}`)
  const digest = 'response="d1e2s3p4o5n6s7e8"'
  const credentials = [`Basic ${basic}`, `Digest username="u", ${digest}`, 'Token token-canary-02']
  credentials.push('AWS4-HMAC-SHA256 Credential=AKIDCANARY03/x, Signature=aws0canary04', 'nakedcanary05')
  for (const credential of credentials) {
    await call(`${world}/subscriptions/x`, 'GET', undefined, { authorization: credential })
    await call(`${world}/stg/us/guest/zipCode?zipCode=07660`, 'GET', undefined, {
      'request-source': 'vendor.com',
      'proxy-authorization': credential,
      'x-api-key': 'apikeycanary06',
      cookie: 'vendorus-profId=web-alice; session=COOKIECANARY01; zip=07660; theme=themecanary; seen=seencanary-07',
    })
  }
  await call(`${world}/subscriptions/seencanary-07?key=seencanary-07`, 'GET', undefined, {
    authorization: 'Bearer token-home',
  })
  const text = await (await fetch(`${world}/_control/recordings/current`)).text()
  const hidden = ['d1e2s3p4o5n6s7e8', 'token-canary-02', 'AKIDCANARY03', 'aws0canary04', 'nakedcanary05']
  for (const secret of [
    bearer,
    basic,
    ...hidden,
    'apikeycanary06',
    'COOKIECANARY01',
    'seen=seencanary-07',
    'themecanary',
  ]) {
    expect(text).not.toContain(secret)
  }
  // A rejected header value is redacted only in that header.
  for (const known of [
    'vendorus-profId=web-alice',
    'Bearer token-home',
    'zipCode=07660',
    '/seencanary-07?key=seencanary-07',
  ])
    expect(text).toContain(known)
  expect(await replayText(text)).toMatchObject({ same: true })
})
