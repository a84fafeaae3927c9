// Sets the address of a release. `node scripts/build/address.mjs OWNER/NAME IMAGE [--tag vVERSION] [--of OWNER/NAME]`
// replaces the repository and image of the example, and rejects those of the example. Only the release workflow runs
// it.
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const EXAMPLE = 'example/vendor-cloud'
const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/
/** Registry and path in lower case, without a tag. */
const IMAGE = /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9][a-z0-9._-]*)+$/
const NAMING = ['package.json', 'server.json', 'deploy/helm/Chart.yaml']

/** Throws before writing anything if the address must not be published. */
export function writeAddress(root, { repository, image, tag, of }) {
  if (!REPOSITORY.test(repository)) throw new Error(`REPOSITORY is OWNER/NAME on GitHub, not ${repository}`)
  if (!IMAGE.test(image))
    throw new Error(`IMAGE is a registry and a path in small letters, without a tag, not ${image}`)
  if (repository.startsWith('example/') || image.includes('/example/')) {
    throw new Error("REPOSITORY and IMAGE of .github/workflows/release.yml are the example's: name yours, then publish")
  }
  if (of !== undefined && of !== repository) {
    throw new Error(`this is ${of}, and REPOSITORY of .github/workflows/release.yml names ${repository}`)
  }
  const read = (name) => readFileSync(join(root, name), 'utf8')
  const { version } = JSON.parse(read('package.json'))
  if (tag !== undefined && tag !== `v${version}`) throw new Error(`the tag is ${tag}, and package.json has ${version}`)
  for (const name of NAMING) writeFileSync(join(root, name), read(name).replaceAll(EXAMPLE, repository))
  const values = read('deploy/helm/values.yaml')
  writeFileSync(join(root, 'deploy/helm/values.yaml'), values.replace(/^( +repository:) .*$/m, `$1 ${image}`))
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const options = { tag: { type: 'string' }, of: { type: 'string' } }
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  try {
    const [repository = '', image = ''] = positionals
    writeAddress(join(import.meta.dirname, '../..'), { repository, image, ...values })
  } catch ({ message }) {
    process.stderr.write(`${message}\n`)
    process.exitCode = 1
  }
}
