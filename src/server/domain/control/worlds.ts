import type { WorldDescription, WorldPlan, Worlds } from '../../ports/worlds.ts'
import { DEFAULT_WORLD } from '../../../contract/records/control/world.ts'
import type { WorldSummary } from '../../../contract/records/control/world.ts'
import type { VariationDraft } from '../../../contract/records/control/variation.ts'
import { DomainError, notFound } from '../errors.ts'
import { toVariation } from './variations.ts'

export async function createWorld(
  worlds: Worlds,
  { variation, ...draft }: Omit<WorldPlan, 'variation'> & { variation?: VariationDraft | undefined },
): Promise<WorldSummary> {
  const plan: WorldPlan = { ...draft, variation: variation && toVariation(variation, draft) }
  if (plan.from !== undefined && !(await worlds.look(plan.from))) refuseUnknown(plan.from)
  const made = plan.name === DEFAULT_WORLD ? undefined : await worlds.create(plan)
  if (!made) throw new DomainError('conflict', `a world named ${plan.name} exists`)
  const found = worlds.list().find(({ name }) => name === plan.name)
  if (found) return toSummary(found)
  throw new DomainError('conflict', `the world ${plan.name} was deleted as soon as it was made`)
}

export function listWorlds(worlds: Worlds): { items: WorldSummary[]; totalCount: number } {
  const items = worlds.list().map(toSummary)
  return { items, totalCount: items.length }
}

export function requireWorld(worlds: Worlds, name: string): WorldSummary {
  const found = worlds.list().find((world) => world.name === name)
  if (!found) refuseUnknown(name)
  return toSummary(found)
}

export async function deleteWorld(worlds: Worlds, name: string): Promise<void> {
  if (name === DEFAULT_WORLD) {
    throw new DomainError('conflict', 'the default world stays; POST /_control/reset empties it')
  }
  requireWorld(worlds, name)
  await worlds.delete(name)
}

function refuseUnknown(name: string): never {
  throw notFound(`no world is named ${name}`)
}

function toSummary({ name, from, seed, createdAt, expiresIn }: WorldDescription): WorldSummary {
  return {
    name,
    createdAt: new Date(createdAt).toISOString(),
    ...(from !== undefined && { from }),
    ...(seed !== undefined && { seed }),
    ...(expiresIn !== undefined && { expiresAt: new Date(createdAt + expiresIn * 1000).toISOString() }),
  }
}
