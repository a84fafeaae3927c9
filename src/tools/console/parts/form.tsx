import { type ComponentChildren, createContext, type InputHTMLAttributes } from 'preact'
import { useContext, useEffect, useId, useState } from 'preact/hooks'
import { Button, type Finding, Refusal } from './basics.tsx'
import { ControlError } from '#tools/client/errors.ts'
import { useClosing } from '../closing.ts'
import { say, useAct } from '../live.ts'

/** The validation errors of a form, which are shown in the element with this ID. */
const FormErrors = createContext<{ id: string; findings: readonly Finding[] }>({ id: '', findings: [] })

/** Returns the last name in a path: `delayMs` for `body.steps[0].delayMs`. */
function fieldOf({ target }: Finding): string {
  return /([^.[\]]*)(\[\d+\])*$/.exec(target)?.[1] ?? ''
}

interface LabeledProps {
  label: string
  /** Name of the field in the API. If a validation error has this name, the field is marked as invalid. */
  name?: string | undefined
  grow?: boolean | undefined
}

interface InnerProps {
  id: string
  name?: string
  'aria-invalid'?: 'true'
  'aria-describedby'?: string
}

function Labeled({
  label,
  name,
  grow,
  children,
}: LabeledProps & { children(attributes: InnerProps): ComponentChildren }) {
  const id = useId()
  const errors = useContext(FormErrors)
  const isInvalid = errors.findings.some((finding) => fieldOf(finding) === name)
  const described = { 'aria-invalid': 'true', 'aria-describedby': errors.id } as const
  return (
    <div class={`field ${grow ? 'grow' : ''}`}>
      <label for={id}>
        <span>{label}</span>
        {children({ id, ...(name !== undefined && { name }), ...(isInvalid && described) })}
      </label>
    </div>
  )
}

interface FieldProps extends LabeledProps {
  value: string
  onInput(value: string): void
  type?: keyof typeof kinds
  /** Number of lines of the field. If absent, the field has a single line. */
  rows?: number
  placeholder?: string
  required?: boolean
  /** Moving the focus is acceptable here, because the user asked to go to this field. */
  autofocus?: boolean
}

export function Field({ label, name, value, onInput, type = 'text', rows, grow, ...rest }: FieldProps) {
  return (
    <Labeled label={label} name={name} grow={grow}>
      {(attributes) =>
        rows === undefined ? (
          <input
            {...rest}
            {...kinds[type]}
            {...attributes}
            value={value}
            autocomplete="off"
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        ) : (
          <textarea
            {...rest}
            {...attributes}
            class="mono"
            rows={rows}
            spellcheck={false}
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )
      }
    </Labeled>
  )
}

const kinds = {
  text: { type: 'text' },
  number: { type: 'number', step: 'any' },
  'datetime-local': { type: 'datetime-local' },
  password: { type: 'password' },
} as const satisfies Readonly<Record<string, InputHTMLAttributes>>

interface Options {
  value: string
  onInput(value: string): void
  options: readonly (readonly [value: string, label: string, ...rest: string[]])[]
}
type ChoiceProps = LabeledProps & Options

export function Choice({ label, name, grow, ...select }: ChoiceProps) {
  return (
    <Labeled label={label} name={name} grow={grow}>
      {(attributes) => <Select {...attributes} {...select} />}
    </Labeled>
  )
}

/** A control without a label needs an `aria-label`. */
export function Select({ onInput, options, ...rest }: Options & Partial<InnerProps> & { 'aria-label'?: string }) {
  return (
    <select {...rest} onChange={(event) => onInput(event.currentTarget.value)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  )
}

export function Tabs({ label, value, onInput, options }: ChoiceProps) {
  return (
    <div class="tabs" role="group" aria-label={label}>
      {options.map(([each, text]) => (
        <Button key={each} aria-pressed={each === value} onClick={() => onInput(each)}>
          {text}
        </Button>
      ))}
    </div>
  )
}

export function FileButton({ label, accept, onChoose }: { label: string; accept: string; onChoose(file: File): void }) {
  return (
    <label class="button">
      {label}
      <input
        type="file"
        class="hidden"
        accept={accept}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onChoose(file)
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

export function Facts({ children }: { children: readonly (readonly [string, ComponentChildren])[] }) {
  const known = children.filter(([, value]) => value !== undefined && value !== '')
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface FormProps {
  label: string
  class?: string
  submit: string
  onSubmit(): Promise<unknown>
  /** If undefined, Escape does not close the form. */
  onClose?: () => void
  done?: string
  further?: ComponentChildren
  /** Rarely used fields, which are shown below the buttons. */
  below?: ComponentChildren
  children?: ComponentChildren
}

export function Form(props: FormProps) {
  const { label, class: name = 'row', submit, onSubmit, onClose, done, further, below, children } = props
  const act = useAct()
  const box = useClosing<HTMLFormElement>(onClose)
  const { error } = act
  const id = useId()
  useEffect(() => {
    const invalid = error && box.current?.querySelector<HTMLElement>('[aria-invalid]')
    invalid?.closest('details')?.setAttribute('open', '')
    invalid?.focus()
  }, [error])
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
      <FormErrors.Provider value={{ id, findings: error?.findings ?? [] }}>
        {children}
        <div class="buttons">
          <button type="submit" class="primary" aria-disabled={act.busy || undefined}>
            {submit}
          </button>
          {further}
        </div>
        <Refusal error={error} id={id} />
        {below}
      </FormErrors.Provider>
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

/** Text that is not valid JSON is rejected before the form is submitted. */
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
