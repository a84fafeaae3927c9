import type { ComponentChildren } from 'preact'
import type { ApiError } from '../api.ts'

/** Nothing to show, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** What the server said against it, with every finding at its place. */
export function Refusal({ error }: { error: ApiError | undefined }) {
  if (!error) return null
  return (
    <div class="refusal" role="alert">
      <p>{error.message}</p>
      {error.findings.length > 0 ? (
        <ul>
          {error.findings.map(({ target, message }) => (
            <li key={`${target} ${message}`}>{message.startsWith(target) ? message : `${target}: ${message}`}</li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

export function Loading() {
  return <p class="loading">Loading…</p>
}

export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'plain'

export function Badge({ tone = 'plain', children }: { tone?: Tone | undefined; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}
