// Runs `npm ci && npm test` on HEAD in an environment that contains only Node. PATH contains node, npm and the shell of
// npm scripts. The home directory is empty. If this script is started by root, the tests run as the user nobody. The
// path of the project contains a space. Time zone and language are unusual. Arguments are passed to vitest.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'

const NOBODY = 65_534
const isRoot = process.getuid() === 0
const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-bare-'))
const [project, bin, home] = ['my project', 'bin', 'home'].map((name) => join(folder, name))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

execFileSync('git', ['clone', '--quiet', join(import.meta.dirname, '../..'), project])
rmSync(join(project, '.git'), { recursive: true })
for (const each of [bin, home]) mkdirSync(each)
// Copies the Node binary, because npx stores it in a folder that other users cannot read.
copyFileSync(process.execPath, join(bin, 'node'))
const npm = dirname(
  realpathSync(process.env.npm_execpath ?? execFileSync('sh', ['-c', 'command -v npm']).toString().trim()),
)
for (const name of ['npm', 'npx']) symlinkSync(join(npm, `${name}-cli.js`), join(bin, name))
symlinkSync('/bin/sh', join(bin, 'sh'))

const settings = join(home, '.npmrc')
if (existsSync(join(homedir(), '.npmrc'))) copyFileSync(join(homedir(), '.npmrc'), settings)
if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder])

// `npm ci` is the only command that has access to the package registry.
const OF_REGISTRY = /^(npm_config_(registry|ca|cafile|strict_ssl|.*proxy)|.*_proxy|node_extra_ca_certs|ssl_cert_\w+)$/i
const registry = Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_REGISTRY.test(name)))
run(registry, 'npm', 'ci', '--no-audit', '--no-fund')
rmSync(settings, { force: true })
run({}, 'npm', 'test', '--', ...process.argv.slice(2))

function run(more, command, ...args) {
  const env = { PATH: bin, HOME: home, CI: 'true', TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', ...more }
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const { status, error } = spawnSync(join(bin, command), args, { cwd: project, env, stdio: 'inherit', ...user })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
