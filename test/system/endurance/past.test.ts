import { onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { expectPast, expectPlayed, pastCases, playPast } from '../../server/worlds/past-cases.ts'

const engines = { memory: () => ({}), disk: () => ({ DATA_DIR: makeTemporaryFolder() }) } as const
const cases = (['memory', 'disk'] as const).flatMap((engine) =>
  Object.entries(pastCases).map(([title, play]) => [engine, title, play] as const),
)

test.each(cases)(
  'the %s engine restores the state after each step, and the case replays: %s',
  async (engine, _, play) => {
    const server = await startServer(readConfig({ PORT: '0', ...engines[engine]() }))
    onTestFinished(() => server.close())
    const { url, moments } = await playPast(server.url, 'past', play)
    await expectPast(server.url, 'past', moments)
    await expectPlayed(url, moments, engines[engine]())
  },
)
