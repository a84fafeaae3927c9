/** Makes a value unchangeable, with all that is in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) deepFreeze(each)
  }
  return value
}
