import { useState } from 'preact/hooks'

/** Text as it is, or any other value as JSON, in a box that scrolls and that the keyboard reaches. */
export function Code({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    // Scrolling parts must be reachable by the keyboard.
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  )
}

interface CopyProps {
  text: string | (() => string)
  label: string
  title?: string
}

/** Puts text on the clipboard and says so; where the browser has none, the text is there to be marked. */
export function CopyButton({ text, label, title }: CopyProps) {
  const [said, say] = useState(label)
  return (
    <button
      type="button"
      title={title}
      onClick={async () => {
        // Only pages of loopback and of HTTPS have a clipboard.
        const isCopied = await Promise.resolve(
          navigator.clipboard?.writeText(typeof text === 'string' ? text : text()),
        ).then(
          () => navigator.clipboard !== undefined,
          () => false,
        )
        say(isCopied ? 'Copied' : 'Mark and copy the text')
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

/** A sentence of a page, with what stands in backticks as code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
}

export function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text]))
  Object.assign(document.createElement('a'), { href, download: name }).click()
  URL.revokeObjectURL(href)
}
