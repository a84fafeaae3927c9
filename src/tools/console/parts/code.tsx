import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export function Code({ value, label }: { value: unknown; label: string }) {
  return (
    // Keyboard users must be able to reach everything that scrolls.
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {typeof value === 'string' ? value : highlight(JSON.stringify(value, null, 2) ?? '')}
    </pre>
  )
}

/** Matches a string (including the colon if the string is a field name), a literal or a number. */
const TOKEN = /("(?:\\.|[^"\\])*")(:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g
/** Every token becomes an element, so longer text is not highlighted. */
const MOST_HIGHLIGHTED = 50_000

function highlight(json: string): ComponentChildren {
  if (json.length > MOST_HIGHLIGHTED) return json
  const parts: ComponentChildren[] = []
  let end = 0
  for (const { 0: token, 1: string, 2: colon, index } of json.matchAll(TOKEN)) {
    parts.push(json.slice(end, index), <span class={colon ? '' : string ? 'good' : 'calm'}>{token}</span>)
    end = index + token.length
  }
  return [...parts, json.slice(end)]
}

/** If the clipboard is not available, shows the text so that users can select it. */
export function CopyButton({ text, label, title }: { text: string | (() => string); label: string; title?: string }) {
  const [said, say] = useState(label)
  return (
    <button
      type="button"
      title={title}
      onClick={async () => {
        // Browsers provide the clipboard only on loopback and HTTPS pages.
        const isCopied = await Promise.resolve(
          navigator.clipboard?.writeText(typeof text === 'string' ? text : text()),
        ).then(
          () => navigator.clipboard !== undefined,
          () => false,
        )
        say(isCopied ? 'Copied' : 'Select and copy the text')
        setTimeout(() => say(label), 2000)
      }}
    >
      <span aria-live="polite">{said}</span>
    </button>
  )
}

export function Command({ text, label }: { text: string; label: string }) {
  return (
    <>
      <Code value={text} label={label} />
      <CopyButton text={text} label="Copy" />
    </>
  )
}

export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
}

export function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text]))
  Object.assign(document.createElement('a'), { href, download: name }).click()
  URL.revokeObjectURL(href)
}
