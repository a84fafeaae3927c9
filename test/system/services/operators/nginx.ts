import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { files } from '../../../helpers/page-files.ts'
import { makeTemporaryFolder } from '../../../helpers/temporary-folder.ts'
import { findPort } from '../servers.ts'

const PROGRAM = '/usr/sbin/nginx'

/**
 * Starts nginx with the configuration in the documentation. Also starts the script in the documentation that polls
 * these instances.
 */
export async function startNginx(instances: readonly string[]) {
  const folder = makeTemporaryFolder()
  const port = await findPort()
  const upstream = join(folder, 'vendor-cloud.upstream')
  const fileOf = (name: string) => files.find(({ file }) => file === name)!.text
  const site = fileOf('vendor-cloud.conf')
    .replace('/etc/nginx/vendor-cloud.upstream', upstream)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  writeFileSync(join(folder, 'vendor-cloud.conf'), site)
  writeFileSync(join(folder, 'poll.sh'), fileOf('poll.sh'))
  const first = instances.map((each) => `server ${each};`).join(' ')
  writeFileSync(upstream, `upstream vendor_cloud { ${first} }\n`)
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, around(folder))
  mkdirSync(join(folder, 'temporary'))
  const environment = { ...process.env, nginx_command: `${PROGRAM} -c ${config} -e ${folder}/errors` }
  const nginx = spawn(PROGRAM, ['-c', config, '-e', `${folder}/errors`], { stdio: 'ignore' })
  const poll = spawn('sh', [join(folder, 'poll.sh'), upstream, ...instances], { stdio: 'ignore', env: environment })
  onTestFinished(async () => {
    await end(poll, 'SIGKILL')
    await end(nginx, 'SIGTERM')
  })
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(`${url}/health/ready`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  return { url, passesTo: (instance: string) => readFileSync(upstream, 'utf8').includes(instance) }
}

/** Debian's nginx configuration, which includes `conf.d`. Here it includes all files in this folder. */
function around(folder: string): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${folder}/temporary/${each};`)
    .join(' ')
  return `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 2; pid ${folder}/pid;
events { worker_connections 1024; }
http { access_log off; ${places} include ${folder}/vendor-cloud.conf; }
`
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
