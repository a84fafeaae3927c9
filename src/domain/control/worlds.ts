import { DEFAULT_WORLD, type WorldDescription, type WorldPlan, type Worlds } from '../../ports.ts'
import type { Workspace } from '../../schemas/control/world.ts'
import { DomainError } from '../errors.ts'

/** Makes a world of its own that starts with the fixtures. */
export async function createWorkspace(worlds: Worlds, plan: WorldPlan): Promise<Workspace> {
  const made = plan.name === DEFAULT_WORLD ? undefined : await worlds.create(plan)
  if (!made) throw new DomainError('conflict', `a workspace named ${plan.name} exists`, { source: 'our choice' })
  return requireWorkspace(worlds, plan.name)
}

export function listWorkspaces(worlds: Worlds): { items: Workspace[]; totalCount: number } {
  const items = worlds.list().map(toWorkspace)
  return { items, totalCount: items.length }
}

export function requireWorkspace(worlds: Worlds, name: string): Workspace {
  const found = worlds.list().find((world) => world.name === name)
  if (!found) throw new DomainError('not-found', `no workspace is named ${name}`, { source: 'our choice' })
  return toWorkspace(found)
}

export async function deleteWorkspace(worlds: Worlds, name: string): Promise<void> {
  if (name === DEFAULT_WORLD) {
    throw new DomainError('conflict', 'the default workspace stays; POST /_control/reset empties it', {
      source: 'our choice',
    })
  }
  requireWorkspace(worlds, name)
  await worlds.delete(name)
}

function toWorkspace({ name, seed, createdAt, expiresIn }: WorldDescription): Workspace {
  return {
    name,
    createdAt: new Date(createdAt).toISOString(),
    ...(seed !== undefined && { seed }),
    ...(expiresIn !== undefined && { expiresAt: new Date(createdAt + expiresIn * 1000).toISOString() }),
  }
}
