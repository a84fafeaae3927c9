import { useState } from 'preact/hooks'

/** Puts text on the clipboard and says so; where the browser has none, the text is there to be marked. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  const says = { ready: label, copied: 'Copied', refused: 'Mark and copy it below' }
  return (
    <button
      type="button"
      class="copy"
      onClick={async () => {
        setState((await copy(text)) ? 'copied' : 'refused')
        setTimeout(() => setState('ready'), 2000)
      }}
    >
      <span aria-live="polite">{says[state]}</span>
    </button>
  )
}

async function copy(text: string): Promise<boolean> {
  try {
    // Only pages of loopback and of HTTPS have a clipboard.
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
