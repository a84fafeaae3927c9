import { findCalledOperation } from '#contract/documents/find-operation.ts'
import type { HttpRequest } from '#contract/exchange.ts'
import type { DifferenceKind, OperationDistance } from '#contract/records/control/comparison.ts'
import { maskIds } from '../cases/unifier.ts'

export interface Tally {
  operation: string
  route: string
  calls: number
  places: number
  kinds: Partial<Record<DifferenceKind, number>>
}

/** A hostile case could ask any number of addresses, so the list is bounded. */
const MOST_OPERATIONS = 500

/** How far two servers are from each other, operation by operation. */
export class Distance {
  readonly #tallies = new Map<string, Tally>()

  tallyOf({ method, path, body }: Pick<HttpRequest, 'method' | 'path' | 'body'>): Tally {
    const found = findCalledOperation(method, path, typeof body === 'string' ? body : Object(body).text)
    const address = `${method} ${maskIds(path.split('?', 1)[0] ?? '')}`.slice(0, 200)
    const isTold = found?.operation !== undefined || this.#tallies.size < MOST_OPERATIONS
    const operation = isTold ? String(found?.operation ?? address) : 'others'
    const route = isTold ? (found?.route ?? address) : 'others'
    const tally = this.#tallies.get(operation) ?? { operation, route, calls: 0, places: 0, kinds: {} }
    this.#tallies.set(operation, tally)
    return tally
  }

  read(): OperationDistance[] {
    return [...this.#tallies.values()].map(({ kinds, ...tally }) => {
      const share = (count: number) => ({ count, share: tally.places === 0 ? 0 : count / tally.places })
      return { ...tally, kinds: Object.fromEntries(Object.entries(kinds).map(([kind, n]) => [kind, share(n)])) }
    })
  }
}
