import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRequester } from '../../../src/tools/cases/player/undici-request.ts'
import { diffReplies, type ReplyRules } from '../../../src/tools/compare/replies.ts'

test('a response above the size limit is reported as too large, not as a timeout', async () => {
  const endless = createServer((_request, reply) => {
    const write = () => void (reply.destroyed || reply.write('x'.repeat(1000), write))
    write()
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  const { port } = endless.address() as AddressInfo
  const requester = createRequester(`http://127.0.0.1:${port}`, { bytes: 10_000 })
  onTestFinished(async () => {
    await requester.close()
    endless.closeAllConnections()
    endless.close()
  })
  const theirs = await requester.request({ method: 'GET', path: '/', headers: {} })
  const mapIds: ReplyRules['mapIds'] = (one, other) => [[...one], [...other]]
  const rules = { equal: Object.is, mapIds, texts: false }
  expect(diffReplies({ status: 200, headers: {}, body: '' }, theirs, rules)).toEqual([
    { path: 'reply', kind: 'error', recorded: 'a whole reply', actual: 'a response of more than 256 MB' },
  ])
})
