import { onTestFinished, expect, test } from 'vitest'
import { parseCase } from '../../../src/contract/files/case.ts'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const DEALER = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const auto = { profile: 'moves', choices: { 'ticket-progress': 'auto' } }
type Story = (world: string) => Promise<unknown>

const advance = (world: string, duration: string) => call(`${world}/_control/clock/advance`, 'POST', { duration })
const setClock = (world: string, now: string) => call(`${world}/_control/clock`, 'PUT', { now })
const askTickets = (world: string) => call(`${world}/stg/us/dealer/tickets`, 'GET', undefined, DEALER)
const askOutbox = (world: string) => call(`${world}/_control/outbox`, 'GET')
const newCustomer = (world: string) => call(`${world}/stg/us/dealer/customers`, 'POST', { firstName: 'X' }, DEALER)

const stories: Readonly<Record<string, Story>> = {
  async 'a read of tickets shows the progress'(world) {
    await advance(world, 'P3D')
    await askTickets(world)
  },
  async 'a read of the outbox shows the progress'(world) {
    await advance(world, 'P3D')
    await askOutbox(world)
  },
  async 'a read of the outbox shows the progress between two calls'(world) {
    await askTickets(world)
    await advance(world, 'P3D')
    await askOutbox(world)
    await newCustomer(world)
    await advance(world, 'P1D')
    await askTickets(world)
  },
  async 'the next clock move shows the progress'(world) {
    await advance(world, 'P3D')
    await advance(world, 'P3D')
  },
  async 'the clock is set back and then moved forward'(world) {
    await advance(world, 'P3D')
    await askTickets(world)
    await setClock(world, '2026-05-07T16:00:00Z')
    await askTickets(world)
    await advance(world, 'P9D')
    await askTickets(world)
  },
  async 'the outbox is emptied during the progress'(world) {
    await advance(world, 'P2D')
    await call(`${world}/_control/outbox`, 'DELETE')
    await askTickets(world)
    await advance(world, 'P5D')
    await askTickets(world)
    await call(`${world}/_control/outbox`, 'DELETE')
  },
}

async function open(settings: Record<string, string> = {}) {
  const server = await startServer(readConfig({ PORT: '0', ...settings }))
  onTestFinished(() => server.close())
  return server.url
}

async function recordMoving(url: string, play: Story, profile: unknown = auto) {
  const draft = { name: 'moving', seed: '1', now: '2026-05-06T16:00:00Z', frozen: true, profile }
  await call(`${url}/_control/worlds`, 'POST', draft)
  const world = `${url}/w/moving`
  await call(`${world}/_control/recordings`, 'POST', {})
  await play(world)
  return { world, text: await (await fetch(`${world}/_control/recordings/current`)).text() }
}

const mailsOf = (text: string) => parseCase(text).steps.flatMap((step) => ('mail' in step ? [step.mail] : []))

test.each(Object.entries(stories))(
  'a case contains the progress emails and replays without differences: %s',
  async (_title, play) => {
    const { text } = await recordMoving(await open(), play)
    expect(mailsOf(text).length).toBeGreaterThan(0)
    expect(await replayText(text)).toMatchObject({ same: true })
  },
)

test('each progress email appears in the case exactly once, in order', async () => {
  const { world, text } = await recordMoving(
    await open(),
    stories['a read of the outbox shows the progress between two calls']!,
  )
  const { json } = await call(`${world}/_control/outbox?limit=100`, 'GET')
  const sent = (json['items'] as { messageId: string; sentAt: string }[]).toReversed()
  const mails = mailsOf(text)
  expect(mails).toHaveLength(Number(json['totalCount']))
  expect(mails.slice(-100).map(({ sentAt }) => sentAt)).toEqual(sent.map(({ sentAt }) => sentAt))
  expect(new Set(mails.slice(-100).map(({ messageId }) => messageId))).toEqual(
    new Set(sent.map(({ messageId }) => messageId)),
  )
})

test('a case recorded with the profile "rough" replays without differences', async () => {
  const url = await open({ DATA_DIR: makeTemporaryFolder() })
  const { world, text } = await recordMoving(url, stories['a read of tickets shows the progress']!, 'rough')
  expect(mailsOf(text).length).toBeGreaterThan(0)
  expect(await replayText(text)).toMatchObject({ same: true })
  expect(await replayText(text, { DATA_DIR: makeTemporaryFolder() })).toMatchObject({ same: true })
  for (const at of [1, parseCase(text).steps.length]) {
    const name = `fork-${at}`
    await call(`${url}/_control/worlds`, 'POST', { name, from: 'moving', at })
    const fork = `${url}/w/${name}`
    await call(`${fork}/_control/recordings`, 'POST', {})
    await stories['a read of tickets shows the progress']!(fork)
    const own = await (await fetch(`${fork}/_control/recordings/current`)).text()
    expect(await replayText(own)).toMatchObject({ same: true })
  }
  await call(`${world}/_control/recordings`, 'DELETE')
})

test('a replay reports a difference if a progress email is missing from the case', async () => {
  const { text } = await recordMoving(await open(), stories['a read of tickets shows the progress']!)
  const lines = text.trimEnd().split('\n')
  expect(await replayText(`${lines.slice(0, -1).join('\n')}\n`)).toMatchObject({ same: false })
})
