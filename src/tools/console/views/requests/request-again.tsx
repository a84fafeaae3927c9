import { useState } from 'preact/hooks'
import { api } from '../../address.ts'
import { Button } from '../../parts/button.tsx'
import { Code, CopyButton } from '../../parts/code.tsx'
import { Field, Tabs } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Badge } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import type { Entry } from '../../types.ts'
import { type CodeForm, forms, toCode } from './request-code.ts'
import { toneOf } from '../../text.ts'
import { secretsOf, type Sent, toSent, withSecrets } from './sent-request.ts'

const LONGEST_KEPT = 16_384

export function Again({ entry }: { entry: Entry }) {
  const sent = toSent(entry)
  const [form, setForm] = useState<string>('curl')
  const secrets = secretsOf(sent)
  const code = toCode(form as CodeForm, sent, api.url, entry.status)
  const name = forms.find(([each]) => each === form)?.[1] ?? ''
  return (
    <section aria-label="Send again">
      <div class="title-row">
        <h3>Send again</h3>
        <a class="button" href={linkTo('faults', String(entry.operation ?? entry.path))}>
          Fail it
        </a>
      </div>
      <Repeat sent={sent} wanted={secrets} />
      <div class="title-row">
        <Tabs label="Copy as" value={form} onInput={setForm} options={forms} />
        <CopyButton key={form} text={code} label={`Copy as ${name}`} />
      </div>
      {secrets.length > 0 ? (
        <p class="hint">The journal keeps no secrets: {secrets.join(', ')} must be set before it runs.</p>
      ) : null}
      {Number(entry.request?.headers['content-length']) > LONGEST_KEPT ? (
        <p class="hint">The journal keeps the beginning of so long a body: what is sent from here is not all of it.</p>
      ) : null}
      <Code value={code} label={`As ${name}`} />
    </section>
  )
}

function Repeat({ sent, wanted }: { sent: Sent; wanted: readonly string[] }) {
  const [asked, setAsked] = useState(false)
  const [secrets, setSecrets] = useState<Record<string, string>>({})
  const [answered, setAnswered] = useState<Partial<Response> | undefined>()
  const repeat = async () => {
    setAnswered(undefined)
    if (wanted.length > 0 && !asked) return setAsked(true)
    const { method, path, headers, body } = withSecrets(sent, secrets)
    const sending = api.fetch(path, { method, headers, ...(body !== undefined && { body }) }) as Promise<Response>
    // A fault may have reset the connection.
    const reply = await sending.catch((): Partial<Response> => ({}))
    setAnswered(reply)
    // A stream would stay open.
    if (reply.headers?.get('content-type') === 'text/event-stream') void reply.body?.cancel()
  }
  if (sent.hasFile) return <p class="hint">The journal keeps no files, so this page cannot repeat it.</p>
  return (
    <Form
      label="Repeat it"
      submit="Repeat it"
      onSubmit={repeat}
      {...(asked && { onClose: () => setAsked(false) })}
      further={
        <>
          {asked ? <Button onClick={() => setAsked(false)}>Not now</Button> : null}
          <span role="status">
            {answered?.status === undefined ? '' : 'Answered '}
            {answered ? (
              <Badge tone={toneOf(answered.status)}>{answered.status ?? 'nothing was answered'}</Badge>
            ) : null}
          </span>
        </>
      }
    >
      {asked
        ? wanted.map((name) => (
            <Field
              key={name}
              label={name}
              required
              autofocus
              value={secrets[name] ?? ''}
              onInput={(value) => setSecrets({ ...secrets, [name]: value })}
            />
          ))
        : null}
    </Form>
  )
}
