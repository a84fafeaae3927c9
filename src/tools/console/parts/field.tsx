import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { Button } from './button.tsx'

interface FieldProps {
  label: string
  value: string
  onInput(value: string): void
  type?: keyof typeof kinds
  placeholder?: string
  required?: boolean
  /** The focus may move because somebody asked for this field. */
  autofocus?: boolean
  grow?: boolean
}

export function Field({ label, value, onInput, type = 'text', grow, ...rest }: FieldProps) {
  return (
    <label class={`field ${grow ? 'grow' : ''}`}>
      <span>{label}</span>
      <input
        {...rest}
        {...kinds[type]}
        value={value}
        autocomplete="off"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}

const kinds = {
  text: { type: 'text' },
  number: { type: 'number', step: 'any' },
  'datetime-local': { type: 'datetime-local' },
  password: { type: 'password' },
} as const satisfies Readonly<Record<string, InputHTMLAttributes>>

interface ChoiceProps {
  label: string
  value: string
  onInput(value: string): void
  options: readonly (readonly [value: string, label: string, ...rest: string[]])[]
  grow?: boolean
}

export function Choice({ label, value, onInput, options, grow }: ChoiceProps) {
  return (
    <label class={`field ${grow ? 'grow' : ''}`}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onInput(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
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

interface FileButtonProps {
  label: string
  accept: string
  onChoose(file: File): void
}

export function FileButton({ label, accept, onChoose }: FileButtonProps) {
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
