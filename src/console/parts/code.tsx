/** Text as it is, or any other value as JSON, in a box that scrolls and that the keyboard reaches. */
export function Code({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    // What scrolls must be reachable by the keyboard.
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  )
}
