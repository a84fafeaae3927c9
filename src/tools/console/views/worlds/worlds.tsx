import { api, consoleOf, world } from '../../address.ts'
import { useAct, useAnswer } from '../../hooks.ts'
import { Ask } from '../../parts/button.tsx'
import { Item, List } from '../../parts/list.tsx'
import { Badge, Refusal } from '../../parts/state.tsx'
import { toMinute } from '../../text.ts'
import type { WorldSummary } from '../../types.ts'
import { NewWorld } from './new-world.tsx'
import { Snapshots } from './snapshots.tsx'

export function Worlds() {
  const worlds = useAnswer('worlds', api.worlds)
  const act = useAct()
  return (
    <section>
      <h1>Worlds</h1>
      <p class="hint">
        A world is addressed by <code>/w/name</code> before any path, or by the header <code>x-world</code>.
      </p>
      <NewWorld names={worlds.data?.items.map(({ name }) => name) ?? []} />
      <Snapshots />
      <Refusal error={act.error} />
      <List label="Worlds" kind="items" of={worlds} empty="There are none.">
        {(each) => (
          <Item key={each.name} title={each.name} note={describe(each)}>
            {each.name === world ? (
              <Badge tone="good">shown here</Badge>
            ) : (
              <a class="button" href={consoleOf(each.name)}>
                Switch
              </a>
            )}
            {each.name === 'default' || each.name === world ? null : (
              <Ask
                label="Delete"
                question={`Delete ${each.name} and all that is in it?`}
                act={act}
                onYes={() => api.call('deleteWorld', { params: [each.name] })}
              />
            )}
          </Item>
        )}
      </List>
    </section>
  )
}

function describe({ from, seed, createdAt, expiresAt }: WorldSummary): string {
  return [
    `since ${toMinute(createdAt)}`,
    from !== undefined && `forked from ${from}`,
    seed !== undefined && `seed ${seed}`,
    expiresAt !== undefined && `until ${toMinute(expiresAt)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
