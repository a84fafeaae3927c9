// Runs the tests that need PostgreSQL. They use their own servers on free ports, temporary folders and a separate
// network. The network requires root. As root on Debian, this script installs missing programs. Elsewhere, a missing
// program is an error.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '../../..')
const programs = [
  { package: 'postgresql', isThere: () => existsSync('/usr/lib/postgresql') },
  { package: 'iproute2', isThere: () => ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip'].some((path) => existsSync(path)) },
  // The script in the documentation uses nginx for a rolling restart.
  { package: 'nginx-light', isThere: () => existsSync('/usr/sbin/nginx') },
  { package: 'curl', isThere: () => existsSync('/usr/bin/curl') },
]
const missing = programs.filter(({ isThere }) => !isThere()).map((program) => program.package)
if (missing.length > 0) install(missing)

const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    'test/system/services/vitest.config.ts',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = status ?? 1

function install(packages) {
  process.stderr.write(`installing ${packages.join(', ')}\n`)
  // Prevents the packages from starting servers of their own, which would not be used.
  const quiet = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  }
  execFileSync('apt-get', ['-qq', 'update'], quiet)
  execFileSync('apt-get', ['-qq', 'install', '--yes', '--no-install-recommends', ...packages], quiet)
}
