// Checks that package.json and the lockfile follow the rules in SECURITY.md. `npm run lint` runs this script.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const KINDS = ['dependencies', 'optionalDependencies', 'devDependencies', 'peerDependencies']

export function lockfileFindings(manifest, { packages }) {
  const root = packages['']
  const asked = (of) => JSON.stringify(KINDS.map((kind) => Object.entries(of[kind] ?? {}).sort()))
  const direct = KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}))
  const locked = Object.entries(packages).filter(([path]) => path !== '')
  return [
    ...(asked(manifest) === asked(root) ? [] : ['package.json and package-lock.json are not in step']),
    ...direct.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)).map(([name]) => `${name}: not exact`),
    ...direct
      .filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)
      .map(([name]) => `${name}: another version is locked`),
    ...locked.filter(([, { resolved }]) => resolved).map(([path]) => `${path}: names where it comes from`),
    ...locked
      .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
      .map(([path]) => `${path}: has no SHA-512`),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [manifest, lockfile] = ['package.json', 'package-lock.json'].map((name) =>
    JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8')),
  )
  const findings = lockfileFindings(manifest, lockfile)
  process.stderr.write(findings.map((each) => `${each}\n`).join(''))
  process.exitCode = findings.length > 0 ? 1 : 0
}
