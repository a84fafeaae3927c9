import { change, useLive } from './live.ts'
import { Button } from './parts/button.tsx'

/** Says what the last action on this page did, until the next one. */
export function ActionLine() {
  const done = useLive((live) => live.done)
  return (
    <div class={`action-line ${done ? '' : 'none'}`}>
      <p role="status" aria-label="Last action">
        {done?.text}
      </p>
      {done?.href === undefined ? null : <a href={done.href}>Show</a>}
      {done ? (
        <Button aria-label="Close the message" onClick={() => change({ done: undefined })}>
          ×
        </Button>
      ) : null}
    </div>
  )
}
