import { type ComponentChildren, createContext, type InputHTMLAttributes } from 'preact'
import { useContext, useId } from 'preact/hooks'
import { Button } from './button.tsx'
import { type Finding, Findings } from './state.tsx'

/** What the server found wrong with the values of the form around a field. */
export const FormFindings = createContext<readonly Finding[]>([])

/** `body.steps[0].delayMs` is about the field `delayMs`. */
export function fieldOf({ target }: Finding): string {
  return /([^.[\]]*)(\[\d+\])*$/.exec(target)?.[1] ?? ''
}

interface LabeledProps {
  label: string
  /** Name of the server's field, by which its findings come to this one. */
  name?: string | undefined
  grow?: boolean | undefined
}

interface InnerProps {
  id: string
  name?: string
  'aria-invalid'?: 'true'
  'aria-describedby'?: string
}

/** Shows a label above its control, and what is wrong below it. */
function Labeled({
  label,
  name,
  grow,
  children,
}: LabeledProps & { children(attributes: InnerProps): ComponentChildren }) {
  const id = useId()
  const findings = useContext(FormFindings).filter((finding) => fieldOf(finding) === name)
  const described = { 'aria-invalid': 'true', 'aria-describedby': id } as const
  return (
    <div class={`field ${grow ? 'grow' : ''}`}>
      <label for={`${id}-control`}>
        <span>{label}</span>
        {children({ id: `${id}-control`, ...(name !== undefined && { name }), ...(findings.length > 0 && described) })}
      </label>
      {findings.length > 0 ? (
        <div class="refusal" id={id} role="alert">
          <Findings toLabel findings={findings} />
        </div>
      ) : null}
    </div>
  )
}

interface FieldProps extends LabeledProps {
  value: string
  onInput(value: string): void
  type?: keyof typeof kinds
  /** Present, the field has several lines. */
  rows?: number
  placeholder?: string
  required?: boolean
  /** The focus may move because somebody asked for this field. */
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

/** Without a label it needs an `aria-label`. */
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
