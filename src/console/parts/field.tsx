import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { Button } from './button.tsx'

interface FieldProps {
  label: string
  value: string
  onInput(value: string): void
  type?: 'text' | 'number' | 'datetime-local'
  placeholder?: string
  hint?: string
  required?: boolean
  /** Takes the room that others leave. */
  grow?: boolean
}

export function Field({ label, value, onInput, type = 'text', placeholder, hint, required, grow }: FieldProps) {
  return (
    <label class={`field ${grow ? 'grow' : ''}`}>
      <span>{label}</span>
      <input
        {...kinds[type]}
        value={value}
        placeholder={placeholder}
        required={required}
        autocomplete="off"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {hint ? <small>{hint}</small> : null}
    </label>
  )
}

const kinds: Readonly<Record<string, InputHTMLAttributes>> = {
  text: { type: 'text' },
  number: { type: 'number', step: 'any' },
  'datetime-local': { type: 'datetime-local' },
}

interface ChoiceProps {
  label: string
  value: string
  onChoose(value: string): void
  options: readonly (readonly [value: string, label: string])[]
  grow?: boolean
}

export function Choice({ label, value, onChoose, options, grow }: ChoiceProps) {
  return (
    <label class={`field ${grow ? 'grow' : ''}`}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

interface TabsProps {
  label: string
  value: string
  onChoose(value: string): void
  options: readonly (readonly [value: string, label: string])[]
}

/** A choice of a few, all in sight. */
export function Tabs({ label, value, onChoose, options }: TabsProps) {
  return (
    <div class="tabs" role="group" aria-label={label}>
      {options.map(([each, text]) => (
        <Button key={each} aria-pressed={each === value} onClick={() => onChoose(each)}>
          {text}
        </Button>
      ))}
    </div>
  )
}

/** What is known of something, name by name. */
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
