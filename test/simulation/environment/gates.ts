import type { Ports } from '../../../src/server/ports.ts'
import type { Bus } from '../../../src/server/ports/bus.ts'
import type { Store } from '../../../src/server/ports/store.ts'
import { toTransaction, toView } from '../../../src/server/adapters/record.ts'
import * as running from '../../../src/server/worlds/running-world.ts'
import { machine } from './machine.ts'

/**
 * Replaces `src/server/worlds/running-world.ts`. The worlds are the same, but the scheduler controls each wait for one
 * of their ports.
 */
export const createAssembler: typeof running.createAssembler = (settings) => {
  const assemble = running.createAssembler(settings)
  return (parts) => {
    const world = assemble(parts)
    const { store, bus, blobs, random } = world.ports
    const ports: Ports = {
      ...world.ports,
      store: gateStore(store),
      bus: gateBus(bus),
      blobs: {
        put: (digest, bytes) => after(blobs.put(digest, bytes)),
        get: (digest) => after(blobs.get(digest)),
        delete: (digest) => after(blobs.delete(digest)),
      },
      random: { bytes: (kind, length) => after(random.bytes(kind, length)) },
    }
    return { ...world, ports }
  }
}

async function after<T>(work: Promise<T>): Promise<T> {
  const value = await work
  await machine.scheduler.gate()
  return value
}

function gateStore(store: Store): Store {
  const readers = toView((name) => {
    const { get, find, count } = store.collection(name)
    return {
      get: (key) => after(get(key)),
      find: (query) => after(find(query)),
      count: (where) => after(count(where)),
    }
  })
  return {
    ...store,
    ...readers,
    transaction: async (work) => {
      await machine.scheduler.gate()
      const gatedWork: typeof work = (tx) =>
        work(
          toTransaction((name) => {
            const writer = tx.collection(name)
            return {
              get: (key) => after(writer.get(key)),
              find: (query) => after(writer.find(query)),
              count: (where) => after(writer.count(where)),
              put: (record) => writer.put(record as never),
              delete: (key) => after(writer.delete(key)),
            }
          }, tx),
        )
      return after(store.transaction(gatedWork))
    },
  }
}

/** Messages that must stay in order are not delayed before they are sent. */
function gateBus(bus: Bus): Bus {
  return {
    ...bus,
    history: (from) => after(bus.history(from)),
    findClaim: (by) => after(bus.findClaim(by)),
    claim: (claim) => after(bus.claim(claim)),
    release: (claim) => after(bus.release(claim)),
    ping: () => after(bus.ping()),
  }
}
