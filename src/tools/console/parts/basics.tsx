import { type ButtonHTMLAttributes, type ComponentChildren, createContext } from 'preact'
import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import { useClosing } from '../closing.ts'
import { type Loaded, report, say, useLive } from '../live.ts'
import type { ControlError, Finding as ClientFinding } from '#tools/client/errors.ts'
import { linkTo } from '../route.ts'
import { toRuleAnchor } from '../text.ts'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'disabled' | 'onClick'> {
  /** Uses `aria-disabled`, because a button with `disabled` would lose the focus. */
  off?: boolean
  /** Message shown after the work has succeeded. */
  done?: string
  onClick?(): unknown
}

export function Button({ off = false, done, onClick, ...rest }: ButtonProps) {
  const { busy, start } = useWork(onClick, done)
  const isOff = off || busy
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isOff || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else void start()
      }}
    />
  )
}

function useWork(work: (() => unknown) | undefined, done: string | undefined) {
  const [busy, setBusy] = useState(false)
  const start = async () => {
    const result = work?.()
    if (!(result instanceof Promise)) return done === undefined ? undefined : say(done)
    setBusy(true)
    await report(result, done)
    setBusy(false)
  }
  return { busy, start }
}

export interface AskProps {
  /** A verb and its object, such as "Cancel purchase". */
  label: string
  question: string
  off?: boolean
  class?: string
  done?: string
  onYes(): unknown
}

/** Asks for confirmation before an action that cannot be undone. The button that cancels has the focus. */
export function Ask({ label, question, off = false, class: name, done, onYes }: AskProps) {
  const [asked, setAsked] = useState(false)
  const { busy, start } = useWork(onYes, done)
  return (
    <span class="ask">
      <Button class={name} off={off || busy} aria-expanded={asked} onClick={() => setAsked(!asked)}>
        {label}
      </Button>
      {asked ? (
        <Question
          text={question}
          yes={label}
          onNo={() => setAsked(false)}
          onYes={() => {
            setAsked(false)
            void start()
          }}
        />
      ) : null}
    </span>
  )
}

export function Question({ text, yes, onYes, onNo }: { text: string; yes: string; onYes(): void; onNo(): void }) {
  const box = useClosing<HTMLSpanElement>(onNo, { outside: true })
  useLayoutEffect(() => {
    // In a narrow window, the question is at the bottom of the window.
    if (matchMedia('(max-width: 1000px)').matches) return
    // The box of a table would cut off the question, so it is positioned in the window, below or above its button.
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
        // Moving the focus is acceptable here, because the user has just clicked.
        autofocus
        onClick={onNo}
      >
        Keep
      </Button>
    </span>
  )
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{title}</p>
      {children}
    </div>
  )
}

export type Finding = Omit<ClientFinding, 'source'> & { source?: string | undefined }

export function Refusal({ error, id }: { error: ControlError | undefined; id?: string }) {
  if (!error) return null
  if (error.status === 0) {
    return (
      <p class="refusal" role="alert">
        The action failed because the server did not respond. Try again when the server is reachable.
      </p>
    )
  }
  const { code, message, findings } = error
  return (
    <div class="refusal" role="alert" id={id}>
      <Findings toLabel findings={findings.length > 0 ? findings : [{ code, message, target: '' }]} />
    </div>
  )
}

interface FindingsProps {
  findings: readonly (Finding & { tone?: Tone })[]
  /** Replaces field names with labels in plain words. If absent, field names are shown as in a request. */
  toLabel?: boolean
}

export function Findings({ findings, toLabel = false }: FindingsProps) {
  return (
    <ul class="findings">
      {findings.map(({ code, target, tone, message, source }) => (
        <li key={`${code} ${target} ${message}`}>
          <p>{toSentence(target, message, toLabel)}</p>
          <small>
            {tone ? <Badge tone={tone}>{code}</Badge> : code}
            {target ? <code> {target}</code> : null}
            {source === undefined ? null : <Rule source={source} />}
          </small>
        </li>
      ))}
    </ul>
  )
}

/** URL of the server's documentation. Undefined on the page of a case. */
export const Docs = createContext<string | undefined>(undefined)

function Rule({ source }: { source: string }) {
  const docs = useContext(Docs)
  // The documentation has no section about the rules of the control API.
  const page = source.includes('/') ? undefined : `${docs}/rules#${toRuleAnchor(source)}`
  const href = docs && (source === 'POST /_control/faults' ? linkTo('faults') : page)
  return <> rule: {href === undefined ? source : <a href={href}>{source}</a>}</>
}

export function Why({ why }: { why: Omit<Finding, 'target'> & Pick<FindingsProps, 'findings'> }) {
  return (
    <section class="why" aria-label="Why it was rejected">
      <h3>Why it was rejected</h3>
      <Findings findings={why.findings.length > 0 ? why.findings : [{ ...why, target: '' }]} />
    </section>
  )
}

/** `body.startTime must be …` becomes `startTime must be …`, or `Start time must be …` with `toLabel`. */
function toSentence(target: string, text: string, toLabel: boolean): string {
  // Forms do not have these inputs. Scenarios are JSON, so they can contain `force`.
  const message = toLabel ? text.replace(/(?<!steps.*) \(force: true accepts it\)|, or whole milliseconds/, '') : text
  const field = target.replace(/^(body|query|path|params)\.?/, '')
  if (field === '' || !message.startsWith(target)) return /^[a-z]+[.[A-Z]/.test(message) ? message : capitalize(message)
  const words =
    toLabel && /^[A-Za-z.]+$/.test(field)
      ? field
          .replace(/^.*\./, '')
          .replace(/[a-z](?=[A-Z][a-z])/g, '$& ')
          .toLowerCase()
      : field
  // Field names are case-sensitive, so the first letter stays as it is.
  return words === field ? field + message.slice(target.length) : capitalize(words + message.slice(target.length))
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function Known<T>({ of: { data, error }, children }: { of: Loaded<T>; children(data: T): ComponentChildren }) {
  if (data === undefined) return error ? <Refusal error={error} /> : <Loading />
  return <>{children(data)}</>
}

export function Loading() {
  const isLost = useLive((live) => live.connection === 'lost')
  return <p class="loading hint">{isLost ? 'Not loaded. The server cannot be reached.' : 'Loading…'}</p>
}

export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'plain'

export function Badge({ tone = 'plain', children }: { tone?: Tone | undefined; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

export function Day({ title }: { title: string | undefined }) {
  return title === undefined ? null : <p class="day">{title}</p>
}

interface ItemProps {
  title: ComponentChildren
  note: ComponentChildren
  children?: ComponentChildren
}

export function Item({ title, note, children }: ItemProps) {
  return (
    <li class="panel">
      <div>
        <strong>{title}</strong>
        <p class="hint">{note}</p>
      </div>
      {children}
    </li>
  )
}

export function Brand() {
  return (
    <>
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--primary)" />
        <path d="M8 11l8 11 8-11" fill="none" stroke="var(--primary-foreground)" stroke-width="3.5" />
        <circle cx="16" cy="9" r="2.2" fill="var(--primary-foreground)" />
      </svg>
      <span>vendor-cloud</span>
    </>
  )
}
