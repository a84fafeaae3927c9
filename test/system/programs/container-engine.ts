import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { join } from 'node:path'

export interface AskedContainer {
  Image: string
  Env: string[]
  ExposedPorts: Record<string, object>
}

interface Container {
  asked: AskedContainer
  process?: ChildProcess
  port?: string
}

/**
 * Simulates the part of Docker's API that Testcontainers uses, on a socket. Its only image is `app`, which is laid out
 * as in the Dockerfile. Its containers are processes on this machine with the requested environment.
 */
export async function startEngine(folder: string, app: string, image: string) {
  const containers = new Map<string, Container>()
  const unknown: string[] = []
  const routes: [RegExp, (id: string, request: IncomingMessage) => unknown][] = [
    [
      /^GET \/info$/,
      () => ({ ServerVersion: '28.0.0', OperatingSystem: 'none', OSType: 'linux', Architecture: 'x86_64' }),
    ],
    [/^GET \/images\/(.+)\/json$/, (name) => (name === `${image}:latest` ? { Id: 'sha256:app' } : undefined)],
    // Testcontainers uses this request to look for a running reaper.
    [/^GET \/containers\/json$/, () => []],
    [/^POST \/containers\/create$/, (_, request) => create(request)],
    [/^POST \/containers\/(\w+)\/start$/, start],
    [/^GET \/containers\/(\w+)\/json$/, (id) => describe(id)],
    [/^POST \/containers\/(\w+)\/stop$/, stop],
    [/^DELETE \/containers\/(\w+)$/, (id) => ({ removed: containers.delete(id) })],
  ]

  async function create(request: IncomingMessage) {
    const id = randomBytes(32).toString('hex')
    containers.set(id, { asked: (await json(request)) as AskedContainer })
    return { Id: id, Warnings: [] }
  }

  async function start(id: string) {
    const container = containers.get(id)!
    const asked = Object.fromEntries(container.asked.Env.map((each) => each.split(/=(.*)/s).slice(0, 2)))
    // The process listens on a free port. A real engine would publish the port of the container instead.
    const env = { PATH: '', NODE_ENV: 'production', HOST: '127.0.0.1', ...asked, PORT: '0' }
    const child = spawn(process.execPath, ['dist/main.js'], { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] })
    container.process = child
    container.port = await new Promise<string>((resolve, reject) => {
      let said = ''
      child.once('close', () => reject(new Error(said)))
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (part: Buffer) => {
          said += part
          const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? []
          if (port !== undefined) resolve(port)
        })
      }
    })
    return {}
  }

  function describe(id: string) {
    const container = containers.get(id)
    if (!container) return undefined
    const { asked, process: child, port } = container
    const isRunning = child !== undefined && child.exitCode === null
    const ports = Object.keys(asked.ExposedPorts).map((each) => [each, [{ HostIp: '127.0.0.1', HostPort: port }]])
    return {
      Id: id,
      Name: '/one',
      Config: { Labels: {}, Hostname: 'one' },
      State: { Status: isRunning ? 'running' : 'exited', Running: isRunning, StartedAt: '', FinishedAt: '' },
      NetworkSettings: { Ports: Object.fromEntries(ports), Networks: {} },
    }
  }

  async function stop(id: string) {
    const child = containers.get(id)?.process
    if (child && child.exitCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    return {}
  }

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url!.replace(/^\/v\d+\.\d+/, '').replace(/\?.*/, ''))
    const asked = `${request.method} ${path}`
    const [pattern, answer] = routes.find(([each]) => each.test(asked)) ?? []
    if (!pattern || !answer) unknown.push(asked)
    const respond = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    try {
      const body = pattern && (await answer!(pattern.exec(asked)![1] ?? '', request))
      respond(body === undefined ? 404 : 200, body ?? { message: `no such thing: ${asked}` })
    } catch (error) {
      respond(500, { message: String(error) })
    }
  })
  const socket = join(folder, 'engine.sock')
  await once(server.listen(socket), 'listening')
  return {
    address: `unix://${socket}`,
    /** Rejects requests that this engine does not support. */
    unknown,
    count: () => containers.size,
    async end() {
      for (const { process: child } of containers.values()) child?.kill('SIGKILL')
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
