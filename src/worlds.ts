import { type Clock, DEFAULT_WORLD, type Ports, type WorldDescription, type WorldPlan, type Worlds } from './ports.ts'

/** A world as it runs, with the means to end it. */
export interface OpenWorld {
  ports: Ports
  close(): Promise<void>
}

interface Entry extends OpenWorld {
  description: WorldDescription
  expiry: NodeJS.Timeout | undefined
}

export interface WorldRegistry extends Worlds {
  /** Ends every world. */
  close(): Promise<void>
}

/** Keeps the worlds by name. `open` makes one from its plan; `real` is real time, which expiry follows. */
export function createWorlds(
  first: { plan: WorldPlan; world: OpenWorld },
  open: (plan: WorldPlan) => OpenWorld | Promise<OpenWorld>,
  real: Clock,
): WorldRegistry {
  const entries = new Map<string, Entry>()
  add(first.plan, first.world)

  function add(plan: WorldPlan, world: OpenWorld): Ports {
    const expiry = plan.expiresIn === undefined ? undefined : setTimeout(() => remove(plan.name), plan.expiresIn * 1000)
    expiry?.unref()
    entries.set(plan.name, { ...world, expiry, description: { ...plan, createdAt: real.now() } })
    return world.ports
  }

  async function remove(name: string): Promise<boolean> {
    const entry = entries.get(name)
    if (!entry || name === DEFAULT_WORLD) return false
    entries.delete(name)
    clearTimeout(entry.expiry)
    await entry.close()
    return true
  }

  return {
    find: (name) => entries.get(name)?.ports,
    list: () => [...entries.values()].map(({ description }) => description),
    create: async (plan) => (entries.has(plan.name) ? undefined : add(plan, await open(plan))),
    delete: remove,
    async reset(name) {
      const old = entries.get(name)!
      const world = await open(old.description)
      entries.set(name, { ...old, ...world })
      await old.close()
      return world.ports
    },
    async close() {
      for (const { expiry } of entries.values()) clearTimeout(expiry)
      await Promise.all([...entries.values()].map((entry) => entry.close()))
    },
  }
}
