import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { billOfMaterials, bundledPackages } from '../../../scripts/build/bill-of-materials.mjs'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const DIST = join(import.meta.dirname, '../../../dist')
/** Licenses whose only condition is that the license text and the names of the authors are included. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT']

interface Bill {
  components: { group?: string; name: string; version: string; scope: string; licenses?: object[]; hashes: object[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const text = readFileSync(join(DIST, 'sbom.cdx.json'), 'utf8')
const bill = JSON.parse(text) as Bill
const titles = bill.components.map(
  ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name} ${version}`,
)

test('every bundled package is in the bill of materials and in the license file', () => {
  const licenses = readFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  const headings = [...licenses.matchAll(new RegExp(`^(\\S+ \\d\\S+), (?:${PERMISSIVE.join('|')})$`, 'gm'))]
  expect(headings.map(([, title]) => title).sort()).toEqual(titles.sort())
  const sections = licenses.split(/^-{80}\n\n/m)
  expect(sections.filter((each) => !/permi(ssion|tted)|licensed under|grants to you/i.test(each))).toEqual([])
  // esbuild writes license comments to files next to the bundles.
  const legal = readdirSync(DIST, { encoding: 'utf8' }).filter((name) => name.endsWith('.LEGAL.txt'))
  const named = legal.flatMap((name) => [
    ...readFileSync(join(DIST, name), 'utf8').matchAll(/^(@[\w-]+\/[\w.-]+|[\w.-]+)\/\S+:$/gm),
  ])
  expect(named.length).toBeGreaterThan(10)
  const names = titles.map((title) => title.split(' ')[0])
  expect(named.map(([, name]) => name).filter((name) => !names.includes(name))).toEqual([])
  for (const name of ['fastify', 'zod', 'undici', 'preact', 'swagger-ui-dist', 'pg']) expect(names).toContain(name)
})

test('every package in the bill of materials has a permissive license', () => {
  const others = bill.components.filter(
    ({ licenses }) => !PERMISSIVE.some((id) => JSON.stringify(licenses) === JSON.stringify([{ license: { id } }])),
  )
  expect(others).toEqual([])
})

test('the bill of materials marks bundled packages as required and external packages as optional', () => {
  const scopeOf = (name: string) => bill.components.find((each) => each.name === name)?.scope
  expect([scopeOf('fastify'), scopeOf('preact'), scopeOf('pg'), scopeOf('vitest')]).toEqual([
    'required',
    'required',
    'optional',
    undefined,
  ])
  expect(bill.components.filter(({ hashes }) => hashes.length === 0)).toEqual([])
  const pool = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/pg@'))!.dependsOn
  expect(pool.map((ref) => ref.split('@')[0])).toContain('pkg:npm/pg-pool')
})

test('a package without code in the bundle is omitted', () => {
  const file = (bytesInOutput: number) => ({ bytesInOutput })
  const inputs = {
    'src/main.ts': file(1),
    '../x/node_modules/@a/b/index.js': file(1),
    'node_modules/c/node_modules/d/e.js': file(1),
    'node_modules/f/index.js': file(0),
  }
  const output = { bytes: 1, imports: [], exports: [], inputs }
  const bundled = bundledPackages([{ inputs: {}, outputs: { 'main.js': output } }])
  expect(bundled).toEqual(['node_modules/@a/b', 'node_modules/c/node_modules/d'])

  const root = makeTemporaryFolder()
  mkdirSync(join(root, 'node_modules/@a/b'), { recursive: true })
  writeFileSync(join(root, 'node_modules/@a/b/package.json'), '{"author":{"name":"Ada"}}')
  const packages = {
    '': { name: 'own', version: '1.0.0', license: 'MIT' },
    'node_modules/@a/b': { version: '1.0.0', license: 'MIT', integrity: 'sha512-AA==' },
    'node_modules/c/node_modules/d': { version: '2.0.0', license: 'GPL-3.0-only' },
  }
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
  const [first, second] = billOfMaterials(root, bundled).licenses.split(/^-{80}\n\n/m)
  expect(first).toMatch(/^@a\/b 1\.0\.0, MIT\nCopyright \(c\) Ada\n\nPermission is hereby granted/)
  expect(second).toBe('d 2.0.0, GPL-3.0-only\n\n\n')
})
