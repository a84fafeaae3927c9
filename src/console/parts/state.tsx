import type { ComponentChildren } from 'preact'
import type { ApiError, Finding } from '../api.ts'

/** Nothing to show, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** What the server said against it, once, in words; that it cannot be reached is said by the page. */
export function Refusal({ error }: { error: ApiError | undefined }) {
  if (!error || error.status === 0) return null
  const texts = error.findings.length > 0 ? error.findings.map(toSentence) : [toText(error.message)]
  return (
    <div class="refusal" role="alert">
      {texts.length === 1 ? (
        <p>{texts[0]}</p>
      ) : (
        <ul>
          {texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** `body.startTime must be …` is `Start time must be …`: people know the field and not its place in a message. */
function toSentence({ target, message }: Finding): string {
  const rule = message.startsWith(target) ? message.slice(target.length).trim() : message
  const field = target.replace(/^(body|query|path|params)\.?/, '')
  if (field === '') return toText(rule)
  const words = /^[A-Za-z.]+$/.test(field)
    ? field
        .replace(/^.*\./, '')
        .replace(/[a-z](?=[A-Z][a-z])/g, '$& ')
        .toLowerCase()
    : field
  return toText(`${words} ${rule}`)
}

/** Without the rule's place, which the journal tells. */
function toText(message: string): string {
  const text = message.replace(/ \((our choice|document [^)]*)\)$/, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function Loading() {
  return <p class="loading">Loading…</p>
}

export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'plain'

export function Badge({ tone = 'plain', children }: { tone?: Tone | undefined; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}
