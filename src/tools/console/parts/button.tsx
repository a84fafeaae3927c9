import type { ButtonHTMLAttributes } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { useClosing } from '../closing.ts'
import type { Act } from '../hooks.ts'
import { say } from '../live.ts'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'disabled' | 'onClick'> {
  /** The button keeps the focus, which a disabled one would lose. */
  off?: boolean
  act?: Act
  /** Shown after the act succeeded. */
  done?: string
  onClick?(): unknown
}

export function Button({ off = false, act, done, onClick, ...rest }: ButtonProps) {
  const isOff = off || act?.busy === true
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isOff || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else if (act) void perform(act, onClick, done)
        else onClick?.()
      }}
    />
  )
}

async function perform(act: Act, work: (() => unknown) | undefined, done: string | undefined): Promise<void> {
  if ((await act.run(async () => work?.())) && done !== undefined) say(done)
}

export interface AskProps {
  /** A verb with its object, such as "Cancel purchase". */
  label: string
  question: string
  off?: boolean
  class?: string
  /** The button is off while the act runs. */
  act?: Act
  done?: string
  onYes(): unknown
}

/** An action that cannot be undone asks first. Keep has the focus. */
export function Ask({ label, question, off = false, class: name, act, done, onYes }: AskProps) {
  const [asked, setAsked] = useState(false)
  return (
    <span class="ask">
      <Button class={name} off={off || act?.busy === true} aria-expanded={asked} onClick={() => setAsked(!asked)}>
        {label}
      </Button>
      {asked ? (
        <Question
          text={question}
          yes={label}
          onNo={() => setAsked(false)}
          onYes={() => {
            setAsked(false)
            if (act) void perform(act, onYes, done)
            else onYes()
          }}
        />
      ) : null}
    </span>
  )
}

export function Question({ text, yes, onYes, onNo }: { text: string; yes: string; onYes(): void; onNo(): void }) {
  const box = useClosing<HTMLSpanElement>(onNo, { outside: true })
  useLayoutEffect(() => {
    // In a narrow window it is at the foot.
    if (matchMedia('(max-width: 1000px)').matches) return
    // A table's box would cut it off, so it is placed in the window, below its button or above it.
    const { right, bottom, top } = box.current!.parentElement!.getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height, style } = box.current!
    style.insetInlineStart = `${Math.max(8, right - width)}px`
    style.insetBlockStart = `${bottom + 8 + height > innerHeight ? top - 8 - height : bottom + 8}px`
  }, [])
  return (
    <span class="question" role="group" aria-label={text} ref={box}>
      <span>{text}</span>
      <Button class="danger" onClick={onYes}>
        {yes}
      </Button>
      <Button
        // The focus may move because somebody clicked.
        autofocus
        onClick={onNo}
      >
        Keep
      </Button>
    </span>
  )
}
