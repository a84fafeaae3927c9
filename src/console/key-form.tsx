import { useState } from 'preact/hooks'
import { hasKey, saveKey } from './address.ts'
import { Form } from './parts/form.tsx'

/** Where the server listens on other addresses than loopback, it wants its control key. */
export function KeyForm() {
  const [key, setKey] = useState('')
  return (
    <section class="narrow">
      <h1>This server wants its control key</h1>
      <p>
        It is what CONTROL_KEY says, or was printed with the link to this page when the server started. It is kept in
        this tab only, until you close it.
      </p>
      {hasKey() ? (
        <p class="refusal" role="alert">
          That is not this server's key. It may have been started anew with another one.
        </p>
      ) : null}
      <Form
        label="Access"
        class="row"
        onSubmit={() => {
          saveKey(key.trim())
          location.reload()
        }}
      >
        <label class="field grow">
          <span>Control key</span>
          <input
            type="password"
            required
            autocomplete="off"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Open
        </button>
      </Form>
    </section>
  )
}
