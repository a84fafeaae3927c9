import { useState } from 'preact/hooks'
import { saveKey } from './address.ts'
import { useLive } from './live.ts'
import { Form } from './parts/form.tsx'

/** Where the server listens on other addresses than loopback, it wants its control key. */
export function KeyForm() {
  const refusal = useLive((live) => live.refusal)
  const [key, setKey] = useState('')
  return (
    <section class="narrow">
      <h1>This server wants its control key</h1>
      <p>
        It is what CONTROL_KEY says, or was printed with the link to this page when the server started. It is kept in
        this tab only, until you close it.
      </p>
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
            autocomplete="off"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Open
        </button>
      </Form>
      <p class="hint">{refusal}</p>
    </section>
  )
}
