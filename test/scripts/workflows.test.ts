import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const WORKFLOWS = '.github/workflows'
const workflows = readdirSync(join(ROOT, WORKFLOWS)).map((name) => join(WORKFLOWS, name))
const actions = ['action.yml', 'report/action.yml']

interface Step {
  id?: string
  uses?: string
  run?: string
  shell?: string
}

interface Job {
  steps?: Step[]
  permissions?: Record<string, string>
  'timeout-minutes'?: number
  uses?: string
}

interface Workflow {
  on: unknown
  permissions: Record<string, string>
  env: Record<string, string>
  jobs: Record<string, Job>
}

interface Action {
  inputs: Record<string, { description?: string; default?: string }>
  outputs: Record<string, { value: string }>
  runs: { using: string; steps: Step[] }
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const parseAs = <T>(path: string) => parse(read(path)) as T

test.each([...workflows, ...actions])(
  'every action in %s is pinned to a commit, with its version as a comment',
  (path) => {
    const used = [...read(path).matchAll(/^ *(?:- )?uses: (.*)$/gm)].map(([, what]) => what!)
    for (const each of used) expect(each).toMatch(/^(\.\/\S*|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/)
  },
)

test.each([...workflows, ...actions])(
  'no script in %s contains an expression, because expressions could run untrusted input',
  (path) => {
    const { jobs = {}, runs } = parseAs<Partial<Workflow & Action>>(path)
    const steps = [...Object.values(jobs).flatMap((job) => job.steps ?? []), ...(runs?.steps ?? [])]
    const scripts = steps.flatMap(({ run }) => run ?? [])
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
  },
)

test('every workflow job has minimal permissions and a timeout', () => {
  const rights = workflows.flatMap((path) => {
    const { permissions, jobs } = parseAs<Workflow>(path)
    expect([path, permissions]).toEqual([path, { contents: 'read' }])
    const bounded = Object.values(jobs).every((job) => job.uses !== undefined || job['timeout-minutes']! <= 90)
    expect([path, bounded]).toEqual([path, true])
    return Object.entries(jobs).flatMap(([name, job]) => (job.permissions ? [[name, job.permissions]] : []))
  })
  expect(Object.fromEntries(rights)).toEqual({
    npm: { contents: 'read', 'id-token': 'write' },
    image: { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
    chart: { contents: 'read', packages: 'write' },
  })
})

test('jobs for pull requests run in unprivileged containers', () => {
  const { jobs } = parseAs<{ jobs: Record<string, { container?: { options: string } }> }>(join(WORKFLOWS, 'ci.yml'))
  const options = Object.values(jobs).flatMap(({ container }) => container?.options ?? [])
  expect(options).toEqual(["${{ github.event_name == 'pull_request' && '--init' || '--privileged' }}"])
})

test('nothing is published before the address check and the CI jobs have succeeded', () => {
  const { jobs, env } = parseAs<{ jobs: Record<string, { needs?: string }>; env: object }>(
    join(WORKFLOWS, 'release.yml'),
  )
  const needs = Object.entries(jobs).map(([name, job]) => [name, job.needs])
  expect(Object.fromEntries(needs)).toEqual({
    address: undefined,
    ci: 'address',
    npm: 'ci',
    image: 'ci',
    chart: 'image',
  })
  expect(env).toEqual({ REPOSITORY: 'example/vendor-cloud', IMAGE: 'ghcr.io/example/vendor-cloud' })
})

test('the image is built for two processor types, with provenance and a bill of materials', () => {
  const { jobs } = parseAs<{ jobs: { image: { steps: { with?: object }[] } } }>(join(WORKFLOWS, 'release.yml'))
  const build = { platforms: 'linux/amd64,linux/arm64', push: true, sbom: true, provenance: 'mode=max' }
  expect(jobs.image.steps.map((step) => step.with ?? {})).toContainEqual(expect.objectContaining(build))
})

test('the action installs all development packages that the build needs, and no others', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: object }
  const { components } = JSON.parse(read('dist/sbom.cdx.json')) as { components: { group?: string; name: string }[] }
  const bundled = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`))
  const [, list] = /const BUILD = \[([^\]]*)\]/.exec(read('scripts/action/install.mjs'))!
  const installed = [...list!.matchAll(/'([^']+)'/g)].map(([, name]) => name!)
  const needed = ['esbuild', 'markdown-it', ...bundled.filter((name) => name in devDependencies)]
  expect(installed.toSorted()).toEqual(needed.toSorted())
})

test.each(actions)('the inputs of %s are documented and used, and its outputs refer to existing steps', (path) => {
  const { inputs, outputs, runs } = parseAs<Action>(path)
  expect(runs.using).toBe('composite')
  for (const { run, shell } of runs.steps) if (run !== undefined) expect(shell).toBe('bash')
  for (const input of Object.values(inputs))
    expect(input).toEqual({ description: expect.any(String), default: expect.any(String) })
  const text = read(path)
  const used = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name!)
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(inputs).toSorted())
  const ids = runs.steps.flatMap(({ id }) => id ?? [])
  for (const { value } of Object.values(outputs)) expect(ids).toContain(/steps\.(\w+)\.outputs/.exec(value)?.[1])
})
