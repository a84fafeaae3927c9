import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { report, useAnswer } from '#tools/console/live.ts'
import { Badge, Button, Item, Loading, Refusal } from '#tools/console/parts/basics.tsx'
import { Prose } from '#tools/console/parts/code.tsx'
import { Choice, Field, Form } from '#tools/console/parts/form.tsx'
import { toLine } from '#tools/console/text.ts'
import type { ChoiceSummary, ProfileAnswer, ProfileInput } from '#tools/client/types.ts'
import { readJsonOrText } from '#contract/records/decoded-text.ts'

const readyMade = [
  ['strict', 'Strict: hard for clients'],
  ['lenient', 'Lenient: easy for clients'],
  ['rough', 'Rough: gateway errors, tickets that progress'],
] as const

export function Choices() {
  const { data, error } = useAnswer('choices', api.choices, { keep: true })
  const { data: profile } = useAnswer('profile', readProfile, { keep: true })
  const items = data?.items ?? []
  const settable = items.filter(({ allowed }) => allowed)
  return (
    <section>
      <h1>Choices</h1>
      <p class="hint">
        How this world behaves where the specifications leave it open. A profile sets choices. Forks, snapshots and
        cases include it.
      </p>
      <div class="buttons" role="group" aria-label="Built-in profiles">
        {readyMade.map(([name, label]) => (
          <Button
            key={name}
            done={`Applied the profile ${name}`}
            aria-pressed={profile?.profile === name}
            onClick={() => api.profile.set(name)}
          >
            {label}
          </Button>
        ))}
        <Button done="Removed the profile" off={!profile} onClick={api.profile.end}>
          Remove profile
        </Button>
      </div>
      <p role="status">{profile ? `The profile is ${profile.profile}.` : 'No profile is applied.'}</p>
      <Refusal error={error} />
      {data === undefined && !error ? <Loading /> : null}
      <ul class="items" aria-label="Choices that can be set">
        {settable.map((choice) => (
          <Settable
            key={`${choice.id} ${toLine(choice.value)}`}
            choice={choice}
            isSet={Object.hasOwn(profile?.choices ?? {}, choice.id)}
          />
        ))}
      </ul>
      <details>
        <summary>{items.length - settable.length} fixed choices</summary>
        <table>
          <tbody>
            {items
              .filter(({ allowed }) => !allowed)
              .map(({ id, document, sentence }) => (
                <tr key={id}>
                  <td>
                    <code>{id}</code> ({document})
                  </td>
                  <td>
                    <Prose text={sentence} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}

function Settable({ choice, isSet }: { choice: ChoiceSummary; isSet: boolean }) {
  const { id, document, sentence, value, allowed = [] } = choice
  const [text, setText] = useState(toLine(value))
  const set = (next: string) => report(setChoice(id, readJsonOrText(next)), `Set ${id} to ${next}`)
  return (
    <Item
      title={
        <>
          {id} {isSet ? <Badge tone="warn">set</Badge> : null}
        </>
      }
      note={<Prose text={`${sentence} (${document})`} />}
    >
      {allowed.length > 1 ? (
        <Choice
          label={id}
          value={text}
          onInput={(next) => void set(next)}
          options={allowed.map((each) => [String(each), String(each)])}
        />
      ) : (
        <Form
          label={id}
          submit="Set choice"
          done={`Set ${id} to ${text}`}
          onSubmit={() => setChoice(id, readJsonOrText(text))}
        >
          <Field label={`${id}: ${allowed.join(', ')}`} grow value={text} onInput={setText} required />
        </Form>
      )}
      {isSet ? (
        <Button done={`Reset ${id} to its default`} onClick={() => setChoice(id, undefined)}>
          Reset to default
        </Button>
      ) : null}
    </Item>
  )
}

/** The name that a changed profile gets. The name of a built-in profile would wrongly suggest its original values. */
const OWN = 'console'

/** Returns undefined if the world has no profile, because this is not an error. */
export async function readProfile(): Promise<ProfileAnswer | undefined> {
  const { profile } = await api.status()
  return profile === undefined ? undefined : api.profile.read()
}

/** Keeps the rest of the profile. If `value` is undefined, the choice returns to its default. */
async function setChoice(id: string, value: unknown): Promise<void> {
  const { profile = OWN, choices, ...rest } = (await readProfile()) ?? {}
  const { [id]: _, ...others } = (choices ?? {}) as Readonly<Record<string, unknown>>
  const name = ['strict', 'lenient', 'rough'].includes(profile) ? `${profile}-changed` : profile
  const next = { ...rest, profile: name, choices: value === undefined ? others : { ...others, [id]: value } }
  await api.profile.set(next as ProfileInput)
}
