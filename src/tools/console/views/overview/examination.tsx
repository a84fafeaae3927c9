import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { useAnswer } from '#tools/console/live.ts'
import { Command } from '#tools/console/parts/code.tsx'
import { Badge, Empty, Item, Known } from '#tools/console/parts/basics.tsx'
import { count } from '#tools/console/text.ts'
import type { Examination } from '#tools/client/types.ts'

/** Milliseconds between polls. Only the feed of the examination's own world announces progress. */
const EVERY = 1000

export function ExaminationView() {
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setLooks((each) => each + 1), EVERY)
    return () => clearInterval(timer)
  }, [])
  const found = useAnswer(`examination ${looks}`, readExamination, { keep: true, once: true })
  return (
    <section>
      <h1>Examination</h1>
      <Known of={found}>{({ examination }) => (examination ? <Progress {...examination} /> : <None />)}</Known>
    </section>
  )
}

/** The examination is requested only if there is one, because browsers log each 404 as an error. */
async function readExamination(): Promise<{ examination?: Examination }> {
  const { examined } = await api.status()
  return examined ? { examination: await api.examination.read() } : {}
}

function None() {
  return (
    <Empty title="No examination is running on this server. An examination starts its own server and prints a link to the console of that server:">
      <Command text="vendor-cloud examine -- COMMAND" label="How to start an examination" />
    </Empty>
  )
}

const verdicts = [
  ['failed', 'Failed', 'bad'],
  ['passed', 'Passed', 'good'],
  ['not covered', 'Not covered', 'plain'],
] as const
const levels: readonly string[] = ['MUST', 'SHOULD', 'INFO']

function Progress({ grade, seed, profile, scenarios, checks }: Examination) {
  const done = scenarios.filter(({ state }) => state === 'done').length
  const running = scenarios.find(({ state }) => state === 'running')
  return (
    <>
      <p class="big-time">
        <strong>{grade === undefined ? 'No grade yet' : `Grade ${grade}`}</strong> {done} of{' '}
        {count(scenarios.length, 'scenario')} done, seed <code>{seed}</code>
        {profile !== undefined && `, profile ${profile}`}
        {running === undefined ? null : <small> now: {running.name}</small>}
      </p>
      {verdicts.map(([verdict, title, tone]) => {
        const own = checks.filter((check) => check.verdict === verdict)
        own.sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level))
        if (own.length === 0) return null
        return (
          <Fragment key={verdict}>
            <h2>
              {title} ({own.length})
            </h2>
            <ul class="items" aria-label={title}>
              {own.map(({ name, level, advice }) => (
                <Item key={name} title={name} note={advice}>
                  <Badge tone={tone}>{level}</Badge>
                </Item>
              ))}
            </ul>
          </Fragment>
        )
      })}
      <h2>Scenarios</h2>
      <ul class="items" aria-label="Scenarios">
        {scenarios.map(({ name, state, problem }) => (
          <Item key={name} title={name} note={problem}>
            <Badge tone={problem === undefined ? tones[state] : 'bad'}>{state}</Badge>
          </Item>
        ))}
      </ul>
    </>
  )
}

const tones = { waiting: 'plain', running: 'calm', done: 'good' } as const
