import { useState } from 'preact/hooks'
import { ControlError } from '../control-client/errors.ts'
import { key, saveKey } from './address.ts'
import { Field } from './parts/field.tsx'
import { Form } from './parts/form.tsx'

/** A server that listens beyond loopback demands its control key. */
export function KeyForm() {
  const [text, setText] = useState('')
  return (
    <section class="narrow">
      <h1>This server wants its control key</h1>
      <p>
        It is what CONTROL_KEY says, or was printed with the link to this page when the server started. It is kept in
        this tab only, until you close it.
      </p>
      {key === undefined ? null : (
        <p class="refusal" role="alert">
          That is not this server's key. It may have been started anew with another one.
        </p>
      )}
      <Form
        label="Access"
        submit="Open"
        onSubmit={async () => {
          // Headers cannot carry other letters.
          if (!/^[\x20-\xff]+$/.test(text)) throw new ControlError(400, 'NoKey', 'No control key has such letters')
          saveKey(text.trim())
          location.reload()
        }}
      >
        <Field label="Control key" type="password" grow required value={text} onInput={setText} />
      </Form>
    </section>
  )
}
