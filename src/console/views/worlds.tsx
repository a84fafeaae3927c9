import { call } from '../api.ts'
import { consoleOf, world } from '../address.ts'
import { useAct, useLoad } from '../hooks.ts'
import { Badge, Loading, Refusal } from '../parts/state.tsx'
import { toMinute } from '../text.ts'
import type { Page, WorldSummary } from '../types.ts'
import { NewWorld } from './new-world.tsx'
import { Snapshots } from './snapshots.tsx'
import { Ask } from '../parts/button.tsx'

/** Each world has its own records, clock, ids, faults, journal, outbox and streams. */
export function Worlds() {
  const { data, error } = useLoad<Page<WorldSummary>>('worlds')
  const act = useAct()
  return (
    <section>
      <h1>Worlds</h1>
      <p class="hint">
        A world is addressed by <code>/w/name</code> before any path, or by the header <code>x-world</code>.
      </p>
      <NewWorld names={data?.items.map(({ name }) => name) ?? []} />
      <Refusal error={error ?? act.error} />
      {!data && !error ? <Loading /> : null}
      <ul class="faults" aria-label="Worlds">
        {data?.items.map(({ name, from, seed, createdAt, expiresAt }) => (
          <li key={name} class="panel">
            <div>
              <strong>{name}</strong> {name === world ? <Badge tone="good">shown here</Badge> : null}
              <p>
                {[
                  `since ${toMinute(createdAt)}`,
                  from !== undefined && `forked from ${from}`,
                  seed !== undefined && `seed ${seed}`,
                  expiresAt !== undefined && `until ${toMinute(expiresAt)}`,
                ]
                  .filter(Boolean)
                  .join(', ')}
              </p>
            </div>
            {name === world ? null : (
              <a class="button" href={consoleOf(name)}>
                Switch
              </a>
            )}
            {name === 'default' || name === world ? null : (
              <Ask
                label="Delete"
                question={`Delete ${name} and all that is in it?`}
                off={act.busy}
                onYes={() => void act.run(() => call('DELETE', `worlds/${name}`))}
              />
            )}
          </li>
        ))}
      </ul>
      <Snapshots />
    </section>
  )
}
