import type { ComponentChildren } from 'preact'

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
