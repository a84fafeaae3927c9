import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so'
const TICKS_PER_SECOND = 100

export interface Nchan {
  port: number
  publish(message: string): Promise<void>
  /** CPU time, with a resolution of a hundredth of a second. */
  cpu(): number
  memory(): number
  stop(): void
}

export async function startNchan(): Promise<Nchan | undefined> {
  if (!existsSync(MODULE)) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'nchan-'))
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), configure(folder, port))
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const publish = (message: string) => post(port, message, agent)
  for (
    let tries = 0;
    tries < 50 &&
    !(await publish('"started"').then(
      () => true,
      () => false,
    ));
    tries++
  )
    await pause()
  const worker = execFileSync('pgrep', ['-P', String(nginx.pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')[0]!
  return {
    port,
    publish,
    cpu() {
      const fields = readFileSync(`/proc/${worker}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))![1]) * 1024,
    stop() {
      agent.destroy()
      nginx.kill()
      nginx.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    },
  }
}

function configure(folder: string, port: number): string {
  return `load_module ${MODULE};
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 20000; }
http {
  access_log off;
  nchan_shared_memory_size 128M;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location /sub { nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest; }
    location /pub { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 10; }
  }
}
`
}

function post(port: number, body: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path: '/pub', method: 'POST', agent }, (reply) => {
      reply.resume().once('end', resolve)
    })
    sent.once('error', reject).end(body)
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 100))
