import { describe, expect, test } from 'vitest'
import { asErin, asGuest, buildTestApp } from '../../helpers/build-test-app.ts'
import { START } from '../../helpers/test-ports.ts'
import { findingsOf } from '../../helpers/documents/dealer-portal.ts'
import { newProductModel } from '../../helpers/records.ts'

const codes = { symCode1: 'KA', symCode2: 'KA1', symCode3: 'KA1X' }
const WAVE = 'Make it wave\n1. Say <hello> & "hi"\n2. Wait'
/** Default Accept headers of HttpURLConnection in older and newer versions of Java. */
const JAVA = ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'text/html, image/gif, image/jpeg, */*; q=0.2']
const [OWN, FOREIGN] = ['4100000017', '7716024385']

async function build(url: string, headers: Record<string, string>) {
  const test = buildTestApp()
  await test.store.transaction(async (tx) => {
    await tx.productModels.put(newProductModel({ modelCode: 'VM-RB1', subType: 'ROBOT' }))
    for (const [i, code] of Object.values(codes).entries()) {
      const parentCode = Object.values(codes)[i - 1] ?? null
      await tx.symptoms.put({ code, subType: 'ROBOT', level: i + 1, parentCode, names: { E: code }, displayOrder: 1 })
    }
    const guide = { guideId: 'KA1X-GUIDE', subType: 'ROBOT', symCode: 'KA1X', title: 'Make it wave' }
    await tx.troubleshootingGuides.put({ ...guide, steps: ['Say <hello> & "hi"', 'Wait'] })
    await tx.troubleshootingGuides.put({ guideId: 'K', subType: 'ROBOT', title: 'Robots', steps: ['Charge it'] })
  })
  const ask = (query: Record<string, string>, accept?: string) =>
    test.app.inject({
      url,
      query: { modelCode: 'VM-RB1', ...query },
      headers: { ...headers, ...(accept && { accept }) },
    })
  return { ...test, ask }
}

describe.each([
  [21, '/stg/us/dealer/troubleshooting', asErin()],
  [29, '/stg/us/guest/troubleshooting', asGuest()],
] as const)('operation %i', (_, url, headers) => {
  test('returns 200 with the guide for the symptom as a JSON string', async () => {
    const { ask } = await build(url, headers)
    for (const query of [codes, { symCode3: 'KA1X' }, { ...codes, symCode4: '' }]) {
      const reply = await ask(query)
      expect(reply.statusCode).toBe(200)
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(reply.json()).toBe(WAVE)
    }
  })

  test('returns 200 with the general guide for the model if no symptom is given', async () => {
    const { ask } = await build(url, headers)
    for (const query of [{}, { symCode3: '' }]) {
      expect((await ask(query as Record<string, string>)).json()).toBe('Robots\n1. Charge it')
    }
  })

  test('returns 200 with all guides below a symptom of level 1 or 2', async () => {
    const { ask } = await build(url, headers)
    const steps = '\n1. Make it wave: Say <hello> & "hi"\n2. Make it wave: Wait'
    expect((await ask({ symCode1: 'KA' })).json()).toBe(`KA${steps}`)
    expect((await ask({ symCode1: 'KA', symCode2: 'KA1' })).json()).toBe(`KA1${steps}`)
    expect((await ask({ symCode2: 'KA1' })).json()).toBe(`KA1${steps}`)
  })

  test('returns plain text or escaped HTML if the client prefers that format', async () => {
    const { ask } = await build(url, headers)
    const text = await ask(codes, 'text/plain')
    expect([text.headers['content-type'], text.body]).toEqual(['text/plain; charset=utf-8', WAVE])
    for (const accept of JAVA) expect((await ask(codes, accept)).headers['content-type']).toMatch(/^application\/json/)
    const html = await ask(codes, 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect(html.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(html.body).toContain('<li>Say &#60;hello&#62; &#38; &#34;hi&#34;</li>')
    expect((await ask(codes, '*/*')).json()).toBe(WAVE)
    expect((await ask(codes, 'image/png')).json()).toBe(WAVE)
  })

  test('returns 400 without a modelCode and for a malformed modelCode', async () => {
    const { ask } = await build(url, headers)
    for (const modelCode of ['', '<TV>']) {
      const reply = await ask({ modelCode })
      expect(reply.statusCode).toBe(400)
      expect(findingsOf(reply)).toEqual([`${modelCode ? 'Invalid' : 'Missing'}Parameter query.modelCode`])
    }
  })

  test.each([
    ['an unknown model', { modelCode: 'VM-NONE' }],
    ['an unknown symptom', { symCode3: 'NONE' }],
    ['a symptom of level 3 given as level 4', { ...codes, symCode4: 'KA1X' }],
    ['a symptom of another subtype', { symCode3: 'TV111' }],
    ['symptoms of different branches', { symCode2: 'TV11', symCode3: 'KA1X' }],
  ])('returns 404 for %s', async (_, query) => {
    const { ask } = await build(url, headers)
    expect((await ask(query)).statusCode).toBe(404)
  })

  test('accepts symptom codes with gaps between the levels of a branch', async () => {
    const { ask, store } = await build(url, headers)
    const robot = { subType: 'ROBOT', names: { E: 'odd' }, displayOrder: 2 }
    await store.transaction(async (tx) => {
      await tx.symptoms.put({ ...robot, code: 'KB', level: 1, parentCode: null })
      await tx.symptoms.put({ ...robot, code: 'KA1X1', level: 4, parentCode: 'KA1X' })
    })
    for (const query of [{ symCode1: 'KA' }, { symCode2: 'KA1' }, {}]) {
      for (const below of [{ symCode3: 'KA1X' }, { symCode4: 'KA1X1' }]) {
        expect((await ask({ ...query, ...below })).json()).toBe(WAVE)
        expect((await ask({ ...below, symCode1: 'KB' })).statusCode).toBe(404)
      }
    }
  })

  test('records each request for the guide of a level 3 symptom that has an srid', async () => {
    const { ask, store } = await build(url, headers)
    await ask({ ...codes, srid: OWN })
    await ask({ symCode3: 'KA1X', srid: OWN })
    const trackings = await store.articleTrackings.find({ where: { srid: OWN } })
    const tracking = { srid: OWN, modelCode: 'VM-RB1', guideId: 'KA1X-GUIDE', at: START }
    expect(trackings.map(({ symCodes }) => symCodes.join()).sort()).toEqual(['KA,KA1,KA1X', 'KA1X'])
    expect(trackings).toMatchObject([tracking, tracking])
  })

  test('does not record a request without a level 3 symptom or without an srid', async () => {
    const { ask, store } = await build(url, headers)
    for (const query of [{ srid: OWN }, codes, { ...codes, srid: '' }]) {
      expect((await ask(query)).statusCode).toBe(200)
    }
    expect(await store.articleTrackings.count()).toBe(0)
  })
})

test.each([
  [21, '/stg/us/dealer/troubleshooting', asErin()],
  [29, '/stg/us/guest/troubleshooting', asGuest()],
] as const)('operation %i records the srid as it was sent, even if it is unknown', async (_, url, headers) => {
  const { ask, store } = await build(url, headers)
  for (const srid of [FOREIGN, '9999999999', 'x']) {
    expect((await ask({ ...codes, srid })).statusCode).toBe(200)
    expect(await store.articleTrackings.count({ srid })).toBe(1)
  }
  expect((await ask({ ...codes, srid: 'x'.repeat(201) })).statusCode).toBe(400)
})

describe('the fourth symptom level', () => {
  const troubleshooting = (query: string) => ({
    url: `/stg/us/guest/troubleshooting?modelCode=VM-TV55&symCode1=TV1&symCode2=TV11&symCode3=TV111${query}`,
    headers: asGuest(),
  })

  test('the guide for a symptom contains fourth-level codes as text and as HTML', async () => {
    const { app } = buildTestApp()
    const text = (await app.inject(troubleshooting(''))).json()
    expect(text).toContain('\nParts:\nTV1111 Backlight\nTV1112 Display panel')
    const { url, headers } = troubleshooting('')
    const html = (await app.inject({ url, headers: { ...headers, accept: 'text/html' } })).body
    expect(html).toContain('<dt>TV1111</dt><dd>Backlight</dd>')
  })

  test('symCode4 is validated and recorded in the same way as the other levels', async () => {
    const { app, store } = buildTestApp()
    expect((await app.inject(troubleshooting('&symCode4=TV1111&srid=4100000017'))).statusCode).toBe(200)
    const [tracking] = await store.articleTrackings.find({ where: { srid: '4100000017' } })
    expect(tracking!.symCodes).toEqual(['TV1', 'TV11', 'TV111', 'TV1111'])
    for (const wrong of ['TV1119', 'TV1211', 'TV112']) {
      expect((await app.inject(troubleshooting(`&symCode4=${wrong}`))).statusCode).toBe(404)
    }
  })

  test('operations 18 and 27 do not return the fourth symptom level', async () => {
    const { app } = buildTestApp()
    const ask = async (query: string) =>
      (await app.inject({ url: `/stg/us/guest/symptom?subType=TV&${query}`, headers: asGuest() })).json()
    const { symptoms } = await ask('symptomLevel1=TV1&symptomLevel2=TV11')
    expect(symptoms.map(({ isLeafFlag }: { isLeafFlag: string }) => isLeafFlag)).not.toContain('N')
    const all = await ask('symptomLevel1=TV1&symptomLevel2=TV11&symptomLevel3=TV111')
    expect(all).toMatchObject({ level: 3, symptoms: [], troubleshootingAvailable: true })
  })
})
