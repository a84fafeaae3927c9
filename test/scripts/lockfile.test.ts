import { expect, test } from 'vitest'
import { lockfileFindings } from '../../scripts/lockfile.mjs'

const integrity = 'sha512-AA=='
const manifest = { dependencies: { a: '1.2.3' }, devDependencies: { b: '2.0.0-beta.1' } }
const packages = {
  '': manifest,
  'node_modules/a': { version: '1.2.3', integrity },
  'node_modules/b': { version: '2.0.0-beta.1', integrity },
  'node_modules/b/node_modules/c': { version: '3.0.0', integrity },
}

test('a lockfile that matches package.json and contains no registry URLs has no findings', () => {
  expect(lockfileFindings(manifest, { packages })).toEqual([])
})

test.each([
  ['a version range', { ...manifest, dependencies: { a: '^1.2.3' } }, {}, 'a: not exact'],
  ['a package that is missing from the lockfile', { dependencies: { z: '1.0.0' } }, {}, 'z: another version is locked'],
  [
    'a locked version that differs',
    manifest,
    { 'node_modules/a': { version: '1.2.4', integrity } },
    'a: another version is locked',
  ],
  [
    'a dependency that differs between the two files',
    { dependencies: { a: '1.2.3' } },
    {},
    'package.json and package-lock.json are not in step',
  ],
  [
    'a package with a registry URL',
    manifest,
    { 'node_modules/d': { resolved: 'x', integrity } },
    'node_modules/d: names where it comes from',
  ],
  [
    'a package without a digest',
    manifest,
    { 'node_modules/d': { version: '1.0.0' } },
    'node_modules/d: has no SHA-512',
  ],
  [
    'a package with a weak digest',
    manifest,
    { 'node_modules/d': { integrity: 'sha1-AA==' } },
    'node_modules/d: has no SHA-512',
  ],
])('the check of the lockfile reports %s', (_, asked, more, finding) => {
  expect(lockfileFindings(asked, { packages: { ...packages, ...more } })).toContain(finding)
})
