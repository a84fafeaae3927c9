import { useClosing } from '../../closing.ts'
import { Choice, Field } from '../../parts/field.tsx'
import { toChoices, useOperations } from './operations.ts'

const methods = ['', 'GET', 'POST', 'PUT', 'DELETE'].map((name) => [name, name || 'any'] as const)
const nothing = { q: '', operation: '', method: '', path: '', status: '', caller: '' }
export type FilterFields = typeof nothing

/** A field that does not filter is empty. */
export function readFilters(params: URLSearchParams): FilterFields {
  return Object.fromEntries(
    Object.entries(nothing).map(([name, none]) => [name, params.get(name) ?? none]),
  ) as FilterFields
}

interface FiltersProps {
  filters: FilterFields
  show(name: keyof FilterFields): (value: string) => void
  onClose(): void
}

export function Filters({ filters, show, onClose }: FiltersProps) {
  const operations = useOperations()
  const box = useClosing<HTMLDivElement>(onClose)
  return (
    <div class="row" ref={box}>
      <Choice
        label="Operation"
        grow
        value={filters.operation}
        onInput={show('operation')}
        options={[['', 'any'], ...toChoices(operations)]}
      />
      <Choice label="Method" value={filters.method} onInput={show('method')} options={methods} />
      <Field label="Path, * for anything" value={filters.path} onInput={show('path')} placeholder="/stg/us/*" />
      <Field label="Status" value={filters.status} onInput={show('status')} placeholder="404" />
      <Field label="Caller" value={filters.caller} onInput={show('caller')} placeholder="web-alice" />
    </div>
  )
}
