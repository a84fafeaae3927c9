import { createCalls } from './calls.ts'
import type { CaseOptions, DiffedWorld, DiffPoints, Fetch } from './inputs.ts'
import type { ControlOptions } from './options.ts'
import { isOfPage, toOwnBody, toOwnRequest } from './own-classes.ts'
import type { Transport } from './transport.ts'
import type { WorldDiff, WorldSummary } from './types.ts'

export function createOwnCalls(transport: Transport, { writeFile, keeper }: ControlOptions) {
  const { name: world, url } = transport
  const remove = async (): Promise<void> => {
    await transport.call('deleteWorld', { params: [world] })
    keeper?.deleted(world)
  }
  return {
    /** Base URL of this world, for the client under test. */
    url,
    /** `default`, or the name with which the world was created. */
    name: world,
    /**
     * Requests a path of this world, such as `/stg/us/guest/zipCode`, or any URL, like `fetch`. A `Request` is always
     * sent to this world, whatever its host is. If the server runs in the same process, links in the response contain
     * that host.
     */
    fetch: (async (target: string | URL | Request, init?: RequestInit) => {
      const own = toWorld(toOwnRequest(target), url, world)
      const body = init?.body
      return transport.fetch(own, isOfPage(body) ? { ...init, body: await toOwnBody(body) } : init)
    }) as Fetch,
    /** Resolves if the server, its engines and the world are ready. */
    ready: (): Promise<void> => transport.health('ready'),
    /** Resolves if the process of the server responds, even if its engines do not. */
    live: (): Promise<void> => transport.health('live'),
    /** Returns how the world was created and when it expires. */
    summary: (): Promise<WorldSummary> => transport.call('getWorld', { params: [world] }),
    ...createCalls(transport),
    /** Returns the full world as canonical JSON Lines. Equal worlds have equal text. */
    snapshot: (): Promise<string> => transport.send('takeSnapshot'),
    /** Restores the full snapshot. If this fails, the world is unchanged. */
    restore: async (snapshot: string): Promise<void> => void (await transport.send('restoreSnapshot', {}, snapshot)),
    /** Records each request and its response as a case for `vendor-cloud replay`. */
    recording: {
      /** Rejects with 409 if the world is already being recorded. */
      start: async (): Promise<unknown> => {
        const started = await transport.call('startRecording', { body: {} })
        keeper?.recorded(world, true)
        return started
      },
      /** Returns the current case as JSON Lines, without secrets. */
      read: (options?: CaseOptions): Promise<string> => transport.send('getRecording', { query: options }),
      /** Ends the recording and discards the case. */
      stop: async (): Promise<void> => {
        await transport.call('endRecording', {})
        keeper?.recorded(world, false)
      },
    },
    /** Compares this world with another, record by record and field by field. */
    diff: (other: string | DiffedWorld, { at, withAt }: DiffPoints = {}): Promise<WorldDiff> =>
      transport.call('diffWorlds', {
        params: [world],
        query: {
          with: typeof other === 'string' ? other : other.name,
          ...(at !== undefined && { at: String(at) }),
          ...(withAt !== undefined && { withAt: String(withAt) }),
        },
      }),
    /** Writes the recorded case to a file. Replaces an existing file. */
    saveCase: async (file: string, options?: CaseOptions): Promise<void> => {
      if (!writeFile) throw new Error('files are not available here. recording.read() returns the case as text')
      await writeFile(file, await transport.send('getRecording', { query: options }))
    },
    /** Deletes this world. You can delete only worlds that were created with `world`. */
    delete: (): Promise<void> => remove(),
    /** Calls any operation of the control API. The path may be `/_control/clock`, `/clock` or `clock`. */
    control: <T = unknown>(method: string, path: string, body?: unknown): Promise<T> =>
      transport.control(method, path, body),
    /** With `await using`, the world is deleted at the end of the block. */
    [Symbol.asyncDispose]: (): Promise<void> => remove(),
  }
}

/**
 * Adds the base URL to a path. A `Request` keeps its host, because links in the response start with that host. It gets
 * a header with the name of the world.
 */
function toWorld(target: string | URL | Request, url: string, world: string): string | URL | Request {
  if (typeof target === 'string' && !URL.canParse(target)) return `${url}/${target.replace(/^\//, '')}`
  if (!(target instanceof Request) || world === 'default') return target
  const request = new Request(target)
  request.headers.set('x-world', world)
  return request
}
