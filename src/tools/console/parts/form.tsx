import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ControlError } from '#tools/client/errors.ts'
import { useClosing } from '../closing.ts'
import { useAct } from '../hooks.ts'
import { say } from '../live.ts'
import { Field, fieldOf, FormFindings } from './field.tsx'
import { type Finding, Refusal } from './state.tsx'

interface FormProps {
  label: string
  class?: string
  submit: string
  onSubmit(): Promise<unknown>
  /** Absent, Escape does not close the form. */
  onClose?: () => void
  /** Shown after the submission succeeded. */
  done?: string
  further?: ComponentChildren
  /** Rarely used fields after the buttons. */
  below?: ComponentChildren
  children?: ComponentChildren
}

export function Form(props: FormProps) {
  const { label, class: name = 'row', submit, onSubmit, onClose, done, further, below, children } = props
  const act = useAct()
  const box = useClosing<HTMLFormElement>(onClose)
  const { error } = act
  useEffect(() => {
    const invalid = error && box.current?.querySelector<HTMLElement>('[aria-invalid]')
    invalid?.closest('details')?.setAttribute('open', '')
    invalid?.focus()
  }, [error])
  // A finding about a field that the form shows is shown there, unless the server names no field.
  const hasField = (finding: Finding) => {
    const name = fieldOf(finding)
    return name !== '' && box.current?.elements.namedItem(name) !== null
  }
  const isShownAbove = error !== undefined && error.findings.length > 0 && error.findings.every(hasField)
  return (
    <form
      class={name}
      aria-label={label}
      ref={box}
      onSubmit={(event) => {
        event.preventDefault()
        void act.run(onSubmit).then((isDone) => isDone && done !== undefined && say(done))
      }}
    >
      <FormFindings.Provider value={error?.findings ?? []}>
        {children}
        <div class="buttons">
          <button type="submit" class="primary" aria-disabled={act.busy || undefined}>
            {submit}
          </button>
          {further}
        </div>
        {isShownAbove ? null : <Refusal error={error} except={hasField} />}
        {below}
      </FormFindings.Provider>
    </form>
  )
}

interface JsonFormProps extends Omit<FormProps, 'onSubmit' | 'children'> {
  title: string
  text: string
  onInput(text: string): void
  rows: number
  onSubmit(value: unknown): Promise<unknown>
}

/** Text that is not JSON is rejected before it is sent. */
export function JsonForm({ title, text, onInput, rows, onSubmit, ...form }: JsonFormProps) {
  return (
    <Form {...form} onSubmit={async () => onSubmit(parse(text))}>
      <Field label={title} rows={rows} required value={text} onInput={onInput} />
    </Form>
  )
}

export function usePlan<T extends Record<string, string>>(start: T) {
  const [plan, setPlan] = useState(start)
  const set = (part: Partial<T>) => setPlan((known) => ({ ...known, ...part }))
  const bind = (name: keyof T & string) => ({
    name,
    value: plan[name] ?? '',
    onInput: (value: string) => set({ [name]: value } as Partial<T>),
  })
  return { plan, set, bind }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new ControlError(400, 'MalformedBody', `This is not JSON: ${(error as Error).message}`)
  }
}
