import type { AttributeState, Device } from '#contract/records/events/device.ts'
import type { DeviceEvent } from '#contract/records/events/platform-event.ts'
import { own } from './known-changes.ts'

export function attributeOf({ components }: Device, component: string, capability: string, attribute: string) {
  const capabilities = own(components, component)
  const attributes = capabilities && own(capabilities, capability)
  return attributes && own(attributes, attribute)
}

export function withAttribute(
  device: Device,
  [component, capability, attribute]: [string, string, string],
  state: AttributeState,
): Device {
  const capabilities = own(device.components, component) ?? {}
  const attributes = { ...own(capabilities, capability), [attribute]: state }
  return { ...device, components: { ...device.components, [component]: { ...capabilities, [capability]: attributes } } }
}

export function typeOf(value: unknown): DeviceEvent['valueType'] {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as 'string' | 'number' | 'boolean' | 'object')
}

/** The order of an object's fields does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
  )
}
