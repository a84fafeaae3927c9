import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ControlError } from '#tools/client/errors.ts'
import { useClosing } from '../closing.ts'
import { useAct } from '../hooks.ts'
import { Refusal } from './state.tsx'

interface FormProps {
  label: string
  class?: string
  submit: string
  onSubmit(): Promise<unknown>
  /** Absent, Escape does not close the form. */
  onClose?: () => void
  done?: string
  further?: ComponentChildren
  children?: ComponentChildren
}

export function Form({ label, class: name = 'row', submit, onSubmit, onClose, done, further, children }: FormProps) {
  const act = useAct()
  const box = useClosing<HTMLFormElement>(onClose)
  return (
    <form
      class={name}
      aria-label={label}
      ref={box}
      onSubmit={(event) => {
        event.preventDefault()
        void act.run(onSubmit)
      }}
    >
      {children}
      <div class="buttons">
        <button type="submit" class="primary" aria-disabled={act.busy || undefined}>
          {submit}
        </button>
        {further}
        {done === undefined ? null : (
          <span class="hint" role="status">
            {act.done ? done : ''}
          </span>
        )}
      </div>
      <Refusal error={act.error} />
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

/** Text that is no JSON is refused before it is sent. */
export function JsonForm({ title, text, onInput, rows, onSubmit, ...form }: JsonFormProps) {
  return (
    <Form {...form} onSubmit={async () => onSubmit(parse(text))}>
      <TextArea label={title} rows={rows} value={text} onInput={onInput} />
    </Form>
  )
}

interface TextAreaProps {
  label: string
  rows: number
  value: string
  onInput(text: string): void
  optional?: boolean
}

export function TextArea({ label, rows, value, onInput, optional = false }: TextAreaProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        class="mono"
        rows={rows}
        required={!optional}
        spellcheck={false}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}

export function usePlan<T extends Record<string, string>>(start: T) {
  const [plan, setPlan] = useState(start)
  const set = (part: Partial<T>) => setPlan((known) => ({ ...known, ...part }))
  const bind = (name: keyof T & string) => ({
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
