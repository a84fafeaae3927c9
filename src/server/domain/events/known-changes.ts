import { capabilities } from '#contract/records/events/capabilities.ts'
import type { Device } from '#contract/records/events/device.ts'
import type { DeviceChange } from '#contract/records/events/device-change.ts'
import { findIssues } from '#contract/records/issues.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import { type Finding, finding } from '../errors.ts'

type NamedChange = Pick<DeviceChange, 'capability' | 'attribute' | 'value' | 'force'>

/** Known names and values are in the list or in the device. Null is valid for every attribute. */
export function findUnknownChange(device: Device, change: NamedChange, target: string): Finding[] {
  const { capability, attribute, value, force } = change
  if (force) return []
  const held = Object.values(device.components)
  const refuse = (name: string, rule: string): Finding[] => [
    finding(`${target}.${name}`, `${rule} (force: true accepts it)`, { source: 'our choice: emitted-events' }),
  ]

  const known = new Set([...Object.keys(capabilities), ...held.flatMap(Object.keys)])
  if (!known.has(capability))
    return refuse('capability', `is not a known capability${suggestNearest(capability, [...known])}`)

  const listed = own(capabilities, capability) ?? {}
  const attributes = new Set([
    ...Object.keys(listed),
    ...held.flatMap((component) => Object.keys(own(component, capability) ?? {})),
  ])
  if (!attributes.has(attribute)) {
    return refuse('attribute', `is not an attribute of ${capability}${suggestNearest(attribute, [...attributes])}`)
  }

  const rule = own(listed, attribute)
  const [issue] = rule === undefined || value === null ? [] : findIssues(rule, value)
  return issue ? refuse('value', issue.rule) : []
}

export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
