// Lists the third-party code in `dist`: a CycloneDX bill of materials and the licenses, for the packages that esbuild
// has bundled.
import { Buffer } from 'node:buffer'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Text of the MIT license, for packages that declare this license without including its text. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

const IN_PACKAGES = /node_modules\/.*/
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/
/** Matches the terms of the MIT and Apache licenses, which are the same in all packages. */
const TERMS = /Permission is hereby granted[\s\S]*|TERMS AND CONDITIONS FOR USE[\s\S]*END OF TERMS AND CONDITIONS/
const LICENSE_FILE = /^(licen[cs]e|notice|copying|copyright)/i

/** Returns the packages with code in these bundles, named as in the lockfile. */
export function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs: each }) => Object.entries(each)),
  )
  const paths = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? (IN_PACKAGES.exec(path) ?? []) : []))
  return [...new Set(paths.map((path) => PACKAGE.exec(path)[0]))]
}

/**
 * Lists the bundled packages and, as optional, the database drivers that the server can load. The output depends only
 * on the sources.
 */
export function billOfMaterials(root, bundled) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const loaded = loadedBeside(packages)
  const scopes = [
    ['required', bundled],
    ['optional', loaded],
  ]
  const parts = new Map()
  for (const [scope, paths] of scopes) {
    for (const path of paths) {
      const part = { scope, path, ...packages[path], ...nameOf(path, packages[path].version) }
      if (!parts.has(part.purl)) parts.set(part.purl, part)
    }
  }
  const sorted = [...parts.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1))
  const own = { path: '', ...packages[''], ...nameOf(`node_modules/${packages[''].name}`, packages[''].version) }
  return {
    bill: `${JSON.stringify(toBill(own, sorted, packages))}\n`,
    licenses: toLicenses(root, sorted),
  }
}

function nameOf(path, version) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return { name, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` }
}

function toBill(own, parts, packages) {
  const purls = new Set(parts.map(({ purl }) => purl))
  const dependsOn = ({ path, dependencies, optionalDependencies }) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .map((name) => findPackage(packages, path, name))
      .flatMap((found) => (found ? [nameOf(found, packages[found].version).purl] : []))
      .filter((purl) => purls.has(purl))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: toComponent('application', own) },
    components: parts.map((part) => toComponent('library', part)),
    dependencies: [own, ...parts].map((part) => ({ ref: part.purl, dependsOn: [...new Set(dependsOn(part))].sort() })),
  }
}

/** Returns the optional dependencies of the project and all packages that they require. */
function loadedBeside(packages) {
  const found = new Set(Object.keys(packages[''].optionalDependencies ?? {}).map((name) => `node_modules/${name}`))
  for (const path of found) {
    const { dependencies, optionalDependencies } = packages[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const required = findPackage(packages, path, name)
      if (required !== undefined) found.add(required)
    }
  }
  return [...found]
}

/** Returns the path at which Node resolves a package that is imported from another one. */
export function findPackage(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = join(folder, 'node_modules', name).replaceAll('\\', '/')
    if (packages[path]) return path
    if (folder === '') return undefined
  }
}

function toComponent(type, { name, version, purl, scope, license, integrity }) {
  const [, group, short] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name)
  return {
    type,
    'bom-ref': purl,
    ...(group && { group }),
    name: short,
    version,
    ...(scope && { scope }),
    ...(integrity && { hashes: [{ alg: 'SHA-512', content: toHex(integrity) }] }),
    ...(license && { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] }),
    purl,
  }
}

const toHex = (integrity) => Buffer.from(/sha512-(\S+)/.exec(integrity)[1], 'base64').toString('hex')

/** Groups packages that have the same license terms. The copyright notices of the packages precede the terms. */
function toLicenses(root, parts) {
  const sections = new Map()
  for (const part of parts) {
    const [notice, terms] = licenseOf(root, part)
    const key = terms.replaceAll(/\W+/g, ' ')
    const section = sections.get(key) ?? { notices: [], terms }
    section.notices.push(`${part.name} ${part.version}, ${part.license}\n${notice}`)
    sections.set(key, section)
  }
  const rule = `\n${'-'.repeat(80)}\n\n`
  return [...sections.values()].map(({ notices, terms }) => `${notices.join('\n')}\n${terms}\n`).join(rule)
}

function licenseOf(root, { path, name, license }) {
  const folder = join(root, path)
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => LICENSE_FILE.test(file)) : []
  const text = files
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n')
  if (text === '') return license === 'MIT' ? [`${copyrightOf(folder, name)}\n`, MIT] : ['', '']
  const { index, 0: terms } = TERMS.exec(text) ?? { index: 0, 0: text }
  return [`${text.slice(0, index)}${text.slice(index + terms.length).trimStart()}`, terms]
}

function copyrightOf(folder, name) {
  const file = join(folder, 'package.json')
  const { author } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return `Copyright (c) ${author?.name ?? author ?? `the authors of ${name}`}`
}
