import { describe, expect, test } from 'vitest'
import { asErin, buildTestApp } from '../../../helpers/build-test-app.ts'
import { openFixtures, starts } from '../../../fixtures/open-fixtures.ts'

const { list } = openFixtures(starts[0]!)
const models = list('productModels').map(({ modelCode, subType }) => [modelCode, subType] as const)
const subTypes = [...new Set(models.map(([, subType]) => subType))]

function open() {
  const { app } = buildTestApp()
  const get = async (path: string, query: Record<string, string>) => {
    const reply = await app.inject({ url: `/stg/us/dealer/${path}`, query, headers: asErin() })
    expect([path, query, reply.statusCode]).toEqual([path, query, 200])
    return reply.json()
  }
  return { app, get }
}

type Get = ReturnType<typeof open>['get']

async function codesBelow(get: Get, query: Record<string, string>): Promise<string[]> {
  const { symptoms } = await get('symptom', query)
  expect(symptoms.length).toBeGreaterThan(0)
  return symptoms.map(({ code }: { code: string }) => code)
}

describe('the product catalog', () => {
  test('the product catalog has more than 40 models of 17 subtypes', () => {
    expect(subTypes).toHaveLength(17)
    expect(models.length).toBeGreaterThan(40)
  })

  test.each(subTypes)(
    'the product catalog has three symptom levels and third-level troubleshooting guides for a %s',
    async (subType) => {
      const { get } = open()
      const [modelCode] = models.find((each) => each[1] === subType)!
      const general = await get('troubleshooting', { modelCode })
      for (const symptomLevel1 of await codesBelow(get, { subType })) {
        for (const symptomLevel2 of await codesBelow(get, { subType, symptomLevel1 })) {
          for (const symptomLevel3 of await codesBelow(get, { subType, symptomLevel1, symptomLevel2 })) {
            const chosen = await get('symptom', { subType, symptomLevel1, symptomLevel2, symptomLevel3 })
            expect(chosen.troubleshootingAvailable).toBe(true)
            const guide = await get('troubleshooting', { modelCode, symCode3: symptomLevel3 })
            expect(guide).not.toBe(general)
          }
        }
      }
    },
  )

  test('a ticket can be created for every model at a center that operation 16 lists', async () => {
    const { app, get } = open()
    for (const [i, [modelCode, subType]] of models.entries()) {
      const { ascCode, schedules } = await get('schedule', { zipCode: '07660', modelCode })
      const day = schedules.find(({ slots }: { slots: { available: boolean }[] }) => slots[0]?.available)
      const [symCode1 = ''] = await codesBelow(get, { subType })
      const [symCode2 = ''] = await codesBelow(get, { subType, symptomLevel1: symCode1 })
      const payload = {
        bpNo: '1000000001',
        modelCode,
        serialNumber: `0MODEL${String(i).padStart(5, '0')}`,
        serviceType: 'IH',
        symCode1,
        symCode2,
        problemDescription: 'It does not work',
        ascCode,
        appointmentDate: day.date,
        timeSlot: day.slots[0].slotId,
      }
      const url = '/stg/us/dealer/customers/ticket'
      const reply = await app.inject({ method: 'POST', url, headers: asErin(), payload })
      expect([modelCode, reply.statusCode, reply.json()]).toMatchObject([modelCode, 200, { modelCode, ascCode }])
      await app.inject({ method: 'DELETE', url: `${url}/${reply.json().srid}`, headers: asErin() })
    }
  })
})
