import type { Faults } from '../../ports.ts'
import type { Fault } from '../../schemas/control/fault.ts'

export function createMemoryFaults(initial: readonly Fault[] = []): Faults {
  let faults = [...initial]

  return {
    add(draft, faultId) {
      const added = { ...draft, faultId, struck: 0 }
      faults.push(added)
      return added
    },
    list: () => [...faults],
    any: () => faults.length > 0,
    matching({ operation, path, soapOperation }) {
      return faults.filter(
        ({ match }) =>
          (match.operation === undefined || String(match.operation) === String(operation)) &&
          (match.path === undefined || (path !== undefined && fits(match.path, path))) &&
          (match.soapOperation === undefined || match.soapOperation === soapOperation),
      )
    },
    strike(faultId) {
      faults = faults
        .map((fault) => (fault.faultId === faultId ? { ...fault, struck: fault.struck + 1 } : fault))
        .filter(({ struck, times }) => times === undefined || struck < times)
    },
    delete(faultId) {
      const before = faults.length
      faults = faults.filter((fault) => fault.faultId !== faultId)
      return faults.length < before
    },
    clear() {
      faults = []
    },
  }
}

/** `*` stands for anything; the parts between are looked for one after the other, so no pattern can blow up. */
function fits(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === path
  if (!path.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const at = path.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return path.length - last.length >= from && path.endsWith(last)
}
