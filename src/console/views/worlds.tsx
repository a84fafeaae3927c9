import { call } from '../api.ts'
import { consoleOf, world } from '../address.ts'
import { useAct, useLoad } from '../hooks.ts'
import { Badge, Loading, Refusal } from '../parts/state.tsx'
import { toMinute } from '../text.ts'
import type { Page } from '../types.ts'
import { NewWorld } from './new-world.tsx'
import { Snapshots } from './snapshots.tsx'

interface World {
  name: string
  seed?: string
  createdAt: string
  expiresAt?: string
}

/** Each world has its own records, clock, ids, faults, journal, outbox and streams. */
export function Worlds() {
  const { data, error } = useLoad<Page<World>>('worlds')
  const act = useAct()
  return (
    <section>
      <h1>Worlds</h1>
      <p class="hint">
        A world is addressed by <code>/w/name</code> before any path, or by the header <code>x-world</code>.
      </p>
      <NewWorld />
      <Refusal error={error ?? act.error} />
      {!data && !error ? <Loading /> : null}
      <ul class="faults" aria-label="Worlds">
        {data?.items.map(({ name, seed, createdAt, expiresAt }) => (
          <li key={name} class="panel">
            <div>
              <strong>{name}</strong> {name === world ? <Badge tone="good">shown here</Badge> : null}
              <p>
                {[
                  `since ${toMinute(createdAt)}`,
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
              <button
                type="button"
                disabled={act.busy}
                onClick={() => void act.run(() => call('DELETE', `worlds/${name}`))}
              >
                Delete
              </button>
            )}
          </li>
        ))}
      </ul>
      <Snapshots />
    </section>
  )
}
