import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { connectAgent, overHttp } from '../../helpers/mcp-client.ts'

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'resources' })
})
afterAll(() => cloud.stop())

const connect = () => connectAgent(overHttp(cloud.url))

async function readText(path: string): Promise<string> {
  const { client } = await connect()
  const [first] = (await client.readResource({ uri: `vendor-cloud://${path}` })).contents
  return first && 'text' in first ? first.text : ''
}

test('the resource operations lists the inputs of each operation with their permitted values', async () => {
  const text = await readText('operations')
  expect(text.length).toBeLessThan(40_000)
  const operations = new Map((JSON.parse(text) as { operation: unknown }[]).map((each) => [each.operation, each]))
  expect(operations.get(8)).toMatchObject({
    body: {
      properties: {
        serviceType: { enum: ['IH', 'SR'] },
        bpNo: { pattern: '^\\d{10}$' },
        purchaseDate: { format: 'date' },
      },
      required: expect.arrayContaining(['bpNo', 'timeSlot']),
    },
  })
  expect(operations.get(19)).toMatchObject({
    query: { properties: { 'sorts[0].direction': { enum: ['asc', 'desc'] } } },
  })
  expect(operations.get(20)).toMatchObject({ params: { required: ['id'] } })
  expect(operations.get('checkAvailability')).toMatchObject({ headers: { required: ['partnerCode'] } })
})

test('the resources and the prompt can be read', async () => {
  const { client } = await connect()
  const read = async (path: string) => {
    const [first] = (await client.readResource({ uri: `vendor-cloud://${path}` })).contents
    return JSON.parse(first && 'text' in first ? first.text : '') as unknown
  }
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(
    ['operations', 'choices', 'people'].map((name) => `vendor-cloud://${name}`),
  )
  expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'vendor-cloud://coverage/{world}',
    'vendor-cloud://journal/{world}/{id}',
  ])
  const operations = (await read('operations')) as { operation: unknown; example?: unknown; needs?: string }[]
  expect(operations).toHaveLength(49)
  const unsendable = operations.filter(({ example = '', needs }) => /{{/.test(JSON.stringify(example)) && !needs)
  expect(unsendable).toEqual([])
  const choices = (await read('choices')) as { allowed?: unknown }[]
  expect(choices.filter(({ allowed }) => !allowed)).toEqual([])
  expect(choices).toContainEqual(expect.objectContaining({ id: 'zip-plus-four' }))
  expect(JSON.stringify(choices)).not.toContain('](')
  expect(await read('people')).toMatchObject({ dealers: expect.arrayContaining(['dealer-erin']) })
  expect(await read('coverage/default')).toMatchObject({ percent: expect.any(Number) })
  await expect(read('journal/default/99999')).rejects.toThrow('no entry 99999')
  await expect(read('coverage/nope')).rejects.toThrow('world nope does not exist')
  expect((await client.getPrompt({ name: 'write-a-client', arguments: { language: 'Go' } })).messages).toEqual([
    { role: 'user', content: { type: 'text', text: expect.stringContaining('Write a client in Go') } },
  ])
})

test('an unknown tool, resource or prompt is rejected with the nearest name', async () => {
  const { client } = await connect()
  await expect(client.callTool({ name: 'wrold' })).rejects.toThrow('Tool wrold not found; the nearest is world')
  await expect(client.getPrompt({ name: 'write-client' })).rejects.toThrow('; the nearest is write-a-client')
  const read = (uri: string) => client.readResource({ uri })
  await expect(read('vendor-cloud://operation')).rejects.toThrow('vendor-cloud://operation; the nearest is operations')
  await expect(read('vendor-cloud://journal/7')).rejects.toThrow('; try operations, choices, people, coverage/{world}')
})

test('the prompt rejects unknown arguments', async () => {
  const { client } = await connect()
  const [prompt] = (await client.listPrompts()).prompts
  expect(prompt?.arguments?.map(({ name }) => name)).toEqual(['language', 'interfaces'])
  const misspelled = client.getPrompt({ name: 'write-a-client', arguments: { langage: 'Go' } })
  await expect(misspelled).rejects.toThrow('"langage"')
})

test('the prompt mentions event streams only for a client of the events API', async () => {
  const { client } = await connect()
  for (const interfaces of ['billing', 'events, billing']) {
    const { messages } = await client.getPrompt({ name: 'write-a-client', arguments: { interfaces } })
    expect([interfaces, JSON.stringify(messages).includes('stream')]).toEqual([interfaces, interfaces !== 'billing'])
  }
})

test('the prompt rejects an unknown interface with the nearest name', async () => {
  const { client } = await connect()
  const get = (interfaces: string) => client.getPrompt({ name: 'write-a-client', arguments: { interfaces } })
  await expect(get('events, suport')).rejects.toThrow('interfaces suport is not an interface; the nearest is support')
  expect((await get('events, wallet')).messages).toHaveLength(1)
})
