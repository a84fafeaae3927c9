import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/run.ts'
import { asBearer, startEvents } from '../helpers/documents/events.ts'

test('tokens can be created, listed and deleted, and open streams can be listed', async () => {
  const { address, stream, call } = await startEvents()
  const say = async (...words: string[]) => {
    let stdout = ''
    const output = { stdout: { write: (text: string) => (stdout += text) }, stderr: { write: () => true } }
    await runCommand([...words, '--url', address], output)
    return stdout.trim()
  }
  const request = { user: 'bert-home', scopes: ['r:locations:*'], locations: [], expiresIn: 60 }
  const token = await say('create', 'token', JSON.stringify(request))
  expect(token).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(await say('list', 'tokens')).toMatch(/^bert-home +\S+Z +r:locations:\* +[0-9a-f]{64}$/m)
  const path = '/subscriptions/dddddddd-0000-4000-8000-000000000001'
  expect((await call('GET', path, { headers: asBearer(token) })).status).toBe(404)
  expect(await say('delete', 'token', token)).toBe(`Deleted token ${token}`)
  expect((await call('GET', path, { headers: asBearer(token) })).status).toBe(401)

  expect(await say('list', 'streams')).toBe('no open streams')
  const { subscriptionId } = await stream(undefined, { name: 'lights' })
  expect(await say('list', 'streams')).toMatch(new RegExp(`^${subscriptionId} +lights +alice-home +\\S+Z +0$`, 'm'))
})

test.each(['create', 'delete'])('the help of %s names tokens in its summary', async (command) => {
  let stdout = ''
  const output = { stdout: { write: (text: string) => (stdout += text) }, stderr: { write: () => true } }
  await runCommand([command, '--help'], output)
  expect(stdout.split('\n')[2]).toMatch(/ a world, fault, device or token$/)
})

test('emit reports on stderr that no stream is open', async () => {
  const { address, stream } = await startEvents()
  const emit = async () => {
    let said = ''
    const output = { stdout: { write: () => true }, stderr: { write: (text: string) => (said += text) } }
    await runCommand(['emit', 'Washer', 'switch', 'switch', 'on', '--url', address], output)
    return said
  }
  expect(await emit()).toBe('no stream is open on this instance\n')
  await stream()
  expect(await emit()).toBe('')
})
