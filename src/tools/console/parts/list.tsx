import type { ComponentChildren, JSX } from 'preact'
import type { Loaded } from '../hooks.ts'
import { Empty, Loading, Refusal } from './state.tsx'

interface ListProps<T> {
  label: string
  kind: 'items'
  of: Loaded<{ items: readonly T[] }>
  empty: ComponentChildren
  children(item: T): JSX.Element
}

/** A list always tells its state: loading, refused, empty or filled. */
export function List<T>({ label, kind, of: { data, error }, empty, children }: ListProps<T>) {
  return (
    <>
      <Refusal error={error} />
      {!data && !error ? <Loading /> : null}
      {data?.items.length === 0 ? typeof empty === 'string' ? <Empty title={empty} /> : empty : null}
      <ul class={kind} aria-label={label}>
        {data?.items.map(children)}
      </ul>
    </>
  )
}

export function Day({ title }: { title: string | undefined }) {
  return title === undefined ? null : <p class="day">{title}</p>
}

export function TableHead({ titles }: { titles: readonly string[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
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
        <p>{note}</p>
      </div>
      {children}
    </li>
  )
}
