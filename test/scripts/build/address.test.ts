import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeAddress } from '../../../scripts/build/address.mjs'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const NAMING = ['package.json', 'server.json', 'deploy/helm/Chart.yaml', 'deploy/helm/values.yaml']
const repository = 'some-org/their-cloud'
const image = 'registry.example/some-org/their-cloud'

function copyProject() {
  const root = makeTemporaryFolder()
  for (const name of NAMING) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    cpSync(join(ROOT, name), join(root, name))
  }
  return { root, read: () => NAMING.map((name) => readFileSync(join(root, name), 'utf8')) }
}

test('a release writes its repository and image into every file, and no example name remains', () => {
  const { root, read } = copyProject()
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  writeAddress(root, { repository, image, tag: `v${version}`, of: repository })
  const [manifest, server, chart, values] = read()
  expect(JSON.parse(manifest!)).toMatchObject({
    name: 'vendor-cloud',
    version,
    homepage: 'https://github.com/some-org/their-cloud#readme',
    bugs: 'https://github.com/some-org/their-cloud/issues',
    repository: { url: 'git+https://github.com/some-org/their-cloud.git' },
    mcpName: 'io.github.some-org/their-cloud',
  })
  expect(JSON.parse(server!)).toMatchObject({ name: 'io.github.some-org/their-cloud' })
  expect(parse(chart!)).toMatchObject({ name: 'vendor-cloud', home: 'https://github.com/some-org/their-cloud' })
  expect(parse(values!)).toMatchObject({ image: { repository: image, pullPolicy: 'IfNotPresent' }, replicas: 1 })
  expect(read().join('')).not.toContain('example/vendor-cloud')
})

test.each([
  ['the example repository', { repository: 'example/vendor-cloud', image }, "are the example's"],
  ['the example image', { repository, image: 'ghcr.io/example/vendor-cloud' }, "are the example's"],
  ['an empty repository', { repository: '', image }, 'REPOSITORY is OWNER/NAME'],
  ['a URL instead of a repository name', { repository: 'https://github.com/a/b', image }, 'REPOSITORY is OWNER/NAME'],
  ['an image with a tag', { repository, image: `${image}:1` }, 'without a tag'],
  ['an image with capital letters', { repository, image: 'registry.example/Some-Org/x' }, 'in small letters'],
  ['a fork of the repository', { repository, image, of: 'a-fork/their-cloud' }, 'this is a-fork/their-cloud'],
  ['the tag of another version', { repository, image, tag: 'v99.0.0' }, 'the tag is v99.0.0'],
])('a release with %s is rejected, and no file is written', (_, address, message) => {
  const { root, read } = copyProject()
  const before = read()
  expect(() => writeAddress(root, address)).toThrow(message)
  expect(read()).toEqual(before)
})
