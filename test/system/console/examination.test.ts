import { describe, expect, test } from 'vitest'
import { createWorldClient } from '../../../src/tools/client/world-client.ts'
import type { Examination } from '../../../src/tools/client/types.ts'
import { openConsole, useBrowser } from '../../helpers/console.ts'

const check = (name: string, level: 'MUST' | 'SHOULD', verdict: 'passed' | 'failed' | 'not covered') => ({
  name,
  level,
  verdict,
  advice: `Mend ${name}.`,
})

const begun: Examination = {
  seed: 'shown',
  scenarios: [
    { name: 'wallet-away', state: 'running' },
    { name: 'wallet-json-order', state: 'waiting' },
  ],
  checks: [check('sends-partner-code', 'MUST', 'not covered')],
}
const over: Examination = {
  ...begun,
  grade: 'C',
  scenarios: [
    { name: 'wallet-away', state: 'done' },
    { name: 'wallet-json-order', state: 'done', problem: 'the client never called' },
  ],
  checks: [
    check('sends-partner-code', 'MUST', 'passed'),
    check('asks-again-after-500', 'SHOULD', 'failed'),
    check('takes-json-order', 'MUST', 'failed'),
  ],
}

describe('the examination in the console', () => {
  useBrowser()

  test('the view shows the command, and then the progress and grade of an examination', async () => {
    const { page, server } = await openConsole('examination')
    await page.getByText('vendor-cloud examine -- COMMAND').waitFor()

    const { examination } = createWorldClient(server)
    await examination.publish(begun)
    await page.getByText('No grade yet 0 of 2 scenarios done, seed shown now: wallet-away').waitFor()
    const scenarios = page.getByRole('list', { name: 'Scenarios' }).getByRole('listitem')
    const textsOf = async (items: typeof scenarios) =>
      (await items.allInnerTexts()).map((text) => text.split(/\s*\n\s*/).join(', '))
    expect(await textsOf(scenarios)).toEqual(['wallet-away, running', 'wallet-json-order, waiting'])

    await examination.publish(over)
    await page.getByText('Grade C 2 of 2 scenarios done, seed shown').waitFor()
    expect(await textsOf(scenarios)).toEqual(['wallet-away, done', 'wallet-json-order, the client never called, done'])
    await expect
      .poll(() => page.getByRole('heading').allInnerTexts())
      .toEqual(['Examination', 'Failed (2)', 'Passed (1)', 'Scenarios'])
    expect(await textsOf(page.getByRole('list', { name: 'Failed' }).getByRole('listitem'))).toEqual([
      'takes-json-order, Mend takes-json-order., MUST',
      'asks-again-after-500, Mend asks-again-after-500., SHOULD',
    ])
  })
})
