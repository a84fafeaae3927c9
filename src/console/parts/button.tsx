import type { ButtonHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'
import { useClosing } from '../closing.ts'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'disabled' | 'onClick'> {
  /** Told to be off, and without effect; it keeps the focus, which a disabled button would lose. */
  off?: boolean
  onClick?(): void
}

export function Button({ off = false, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={off || undefined}
      onClick={(event) => {
        if (off) event.preventDefault()
        else onClick?.()
      }}
    />
  )
}

interface AskProps {
  label: string
  question: string
  off?: boolean
  class?: string
  onYes(): void
}

/** What cannot be taken back is asked for once more, where it stands; the answer that keeps things has the focus. */
export function Ask({ label, question, off = false, class: name, onYes }: AskProps) {
  const [asked, setAsked] = useState(false)
  return (
    <span class="ask">
      <Button class={name} off={off} aria-expanded={asked} onClick={() => setAsked(!asked)}>
        {label}
      </Button>
      {asked ? (
        <Question
          text={question}
          onNo={() => setAsked(false)}
          onYes={() => {
            setAsked(false)
            onYes()
          }}
        />
      ) : null}
    </span>
  )
}

export function Question({ text, onYes, onNo }: { text: string; onYes(): void; onNo(): void }) {
  const box = useClosing<HTMLSpanElement>(onNo, { outside: true })
  return (
    <span class="question" role="group" aria-label={text} ref={box}>
      <span>{text}</span>
      <Button class="danger" onClick={onYes}>
        Yes
      </Button>
      <Button
        // The page asks because somebody clicked.
        autofocus
        onClick={onNo}
      >
        No
      </Button>
    </span>
  )
}
