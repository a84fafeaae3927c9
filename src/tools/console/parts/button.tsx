import type { ButtonHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'
import { useClosing } from '../closing.ts'
import type { Act } from '../hooks.ts'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'disabled' | 'onClick'> {
  /** The button keeps the focus, which a disabled one would lose. */
  off?: boolean
  act?: Act
  onClick?(): unknown
}

export function Button({ off = false, act, onClick, ...rest }: ButtonProps) {
  const isOff = off || act?.busy === true
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isOff || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else if (act) void act.run(async () => onClick?.())
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
  /** Nothing is asked while the act runs. */
  act?: Act
  onYes(): unknown
}

/** An act that cannot be undone asks once more; the answer that keeps things has the focus. */
export function Ask({ label, question, off = false, class: name, act, onYes }: AskProps) {
  const [asked, setAsked] = useState(false)
  return (
    <span class="ask">
      <Button class={name} off={off || act?.busy === true} aria-expanded={asked} onClick={() => setAsked(!asked)}>
        {label}
      </Button>
      {asked ? (
        <Question
          text={question}
          onNo={() => setAsked(false)}
          onYes={() => {
            setAsked(false)
            if (act) void act.run(async () => onYes())
            else onYes()
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
        // The focus may move because somebody clicked.
        autofocus
        onClick={onNo}
      >
        No
      </Button>
    </span>
  )
}
