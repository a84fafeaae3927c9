import { parseCase, writeCase } from '../src/cases/case-file.ts'
import { diffTexts } from '../src/cases/structural-diff.ts'
import { anonymize, Unifier } from '../src/cases/unifier.ts'
import type { Asked } from './acts.ts'
import { Cluster, type Ground } from './cluster.ts'
import { machine } from './machine.ts'
import { sendOver, SimulatedSocket } from './socket.ts'

/** A call, and what its client saw; status 0: no answer. Of a stream: that it was opened, or left. */
export interface Exchange {
  world: string
  /** Milliseconds since the start, when it was answered. */
  now: number
  request: Asked
  status: number
  text: string
  stream?: { subscriptionId: string; isLeft: boolean }
}

/** What made a world what it is: its fixtures, or a snapshot, and the calls behind that in the order of their answers. */
interface Story {
  snapshot?: Asked
  exchanges: readonly Exchange[]
}

interface Told {
  ground: Ground
  root: string
  violation: string
  exchanges: readonly Exchange[]
}

/** Steps after which a call will not be answered any more. */
const MOST_STEPS = 5000
/** A recording's name is no longer. */
const LONGEST_NAME = 200

function storyOf(exchanges: readonly Exchange[], world: string): Story {
  const fresh: Story = { exchanges: [] }
  const [stories, origins] = [new Map<string, Story>(), new Map<string, Story>()]
  for (const exchange of exchanges) {
    const { request, status } = exchange
    const { method, url, payload } = request
    const isDone = status >= 200 && status < 300
    const isCreation = url === '/_control/worlds'
    const { name = exchange.world, from = '' } = isCreation ? (payload as Record<string, string>) : {}
    const before = stories.get(name) ?? fresh
    if (isCreation) {
      if (isDone) origins.set(name, stories.get(from) ?? fresh)
      if (isDone) stories.set(name, origins.get(name)!)
    } else if (url === '/_control/reset') {
      if (isDone) stories.set(name, origins.get(name) ?? fresh)
    } else if (url !== '/_control/snapshot')
      stories.set(name, { ...before, exchanges: [...before.exchanges, exchange] })
    else if (isDone && method === 'PUT') stories.set(name, { snapshot: request, exchanges: [] })
  }
  return stories.get(world) ?? fresh
}

/**
 * Makes the calls of the world that a violation is about again, one after the other at one instance that nothing
 * happens to, and has the program record them. Where clients saw another answer in the run, the case has that one.
 */
export async function recordCase({ ground, root, violation, exchanges }: Told): Promise<string> {
  const world = /\b(?:in|of|world) (default|wa|wb)\b/.exec(violation)?.[1] ?? exchanges.at(-1)?.world ?? 'default'
  const { snapshot, exchanges: calls } = storyOf(exchanges, world)
  const scheduler = machine.begin('case')
  const cluster = new Cluster(ground, 1, root)
  const place = cluster.places[0]!
  const pump = async (isDone: () => boolean) => {
    for (let steps = 0; !isDone() && steps < MOST_STEPS; steps++) await scheduler.step()
  }
  const ask = async (request: Asked): Promise<{ status: number; text: string }> => {
    let answer: { status: number; text: string } | undefined
    const answered = ({ statusCode: status, payload: text }: { statusCode: number; payload: string }) => {
      answer = { status, text }
    }
    const headers = { 'x-world': world, ...request.headers }
    scheduler.soon(() => void place.app.inject({ ...request, headers }).then(answered), place.life)
    await pump(() => answer !== undefined && scheduler.isIdle)
    return answer ?? { status: 0, text: '' }
  }

  const unifier = new Unifier()
  const translate = <T>(value: T): T =>
    value === undefined || Buffer.isBuffer(value) ? value : (JSON.parse(unifier.translate(JSON.stringify(value))) as T)
  const streams = new Map<string, SimulatedSocket[]>()
  const follow = async ({ request, stream }: Exchange, id: string) => {
    const subscriptionId = unifier.translate(stream!.subscriptionId)
    const opened = streams.get(subscriptionId) ?? []
    const leave = () => {
      for (const each of opened) each.destroy()
    }
    const open = () => {
      const socket = new SimulatedSocket(() => {})
      const told = opened.flatMap(({ text }) => [...text.matchAll(/^id: (.*)$/gm)]).at(-1)?.[1]
      const { 'last-event-id': shown, ...headers } = translate(request.headers) as Record<string, string>
      const lastId = shown && !shown.endsWith('-9999999999999999') ? told : shown
      const own = { ...headers, 'x-world': world, 'x-request-id': id, ...(lastId && { 'last-event-id': lastId }) }
      streams.set(subscriptionId, [...opened, socket])
      sendOver(place.app, socket, translate(request.url), own)
    }
    scheduler.soon(stream!.isLeft ? leave : open, place.life)
    await pump(() => scheduler.isIdle)
  }

  cluster.start(place)
  await pump(() => cluster.up.length > 0)
  const headers = { 'x-world': 'default' }
  if (world !== 'default') await ask({ method: 'POST', url: '/_control/worlds', headers, payload: { name: world } })
  if (snapshot) await ask(snapshot)
  const name = `simulation on ${ground}: ${violation}`.slice(0, LONGEST_NAME)
  await ask({ method: 'POST', url: '/_control/recordings', payload: { name } })
  const seen = new Map<string, { status: number; body: string }>()
  for (const [i, exchange] of calls.entries()) {
    const { request, status, text, stream, now } = exchange
    const id = `req-${i}`
    scheduler.now = Math.max(scheduler.now, now)
    if (stream) await follow(exchange, id)
    if (stream) continue
    const { payload, ...rest } = request
    const headers = { ...translate(request.headers), 'x-request-id': id }
    const url = unifier.translate(request.url)
    const here = await ask({ ...rest, headers, url, ...(payload !== undefined && { payload: translate(payload) }) })
    const rules = { equal: unifier.equal, alike: anonymize, fieldOrder: false }
    const isLast = i === calls.length - 1
    const isOther = here.status !== status || (diffTexts('', text, here.text, rules).length > 0 && isLast)
    if (isOther && (isLast || (status > 0 && status < 500))) seen.set(id, { status, body: unifier.translate(text) })
  }
  const { text } = await ask({ method: 'GET', url: '/_control/recordings/current' })
  cluster.end(place)
  const { header, steps } = parseCase(text)
  const asSeen = steps.map((step) => {
    const call = 'call' in step ? step.call : 'control' in step ? step.control : undefined
    const answer = seen.get(String(call?.headers['x-request-id']))
    return answer && 'reply' in step ? { ...step, reply: { ...step.reply, ...answer } } : step
  })
  return writeCase({ header, steps: asSeen })
}
