import type { ComponentChildren } from 'preact'

interface FormProps {
  /** What it is for, to those who don't see it. */
  label: string
  class?: string
  onSubmit(): void
  children: ComponentChildren
}

/** A form that this page answers by itself. */
export function Form({ label, class: name, onSubmit, children }: FormProps) {
  return (
    <form
      class={name}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
