import type { WorldDescription, WorldPast, WorldPlan, Worlds } from '#server/ports/worlds.ts'
import type { Ports } from '#server/ports.ts'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import type { WorldSummary } from '#contract/records/control/world.ts'
import { toVariation, type VariationDraft } from '#contract/records/control/variation.ts'
import { sayNearest } from '#contract/records/nearest.ts'
import { DomainError, notFound } from '../errors.ts'
import { toHex } from '../ids.ts'

export type WorldDraft = Omit<WorldPlan, 'name' | 'variation'> & {
  name?: string | undefined
  variation?: VariationDraft | undefined
}

/** A name is drawn where none is given; a seeded world draws the same one after a reset. */
export async function createWorld(
  ports: Ports,
  worlds: Worlds,
  draft: WorldDraft,
  past?: WorldPast & { step: number },
): Promise<WorldSummary> {
  const name = draft.name ?? (await drawName(ports, worlds))
  const plan: WorldPlan = {
    ...draft,
    ...(past && { at: past.step }),
    name,
    variation: draft.variation && toVariation(draft.variation, { ...draft, name }),
  }
  if (plan.from !== undefined && !(await worlds.look(plan.from))) refuseUnknown(worlds, plan.from)
  const made = plan.name === DEFAULT_WORLD ? undefined : await worlds.create(plan, past)
  if (!made)
    throw new DomainError('conflict', `a world named ${plan.name} exists`, { source: 'our choice: world-names' })
  const found = worlds.list().find(({ name }) => name === plan.name)
  if (found) return toSummary(found)
  throw new DomainError('conflict', `the world ${plan.name} was deleted as soon as it was made`, {
    source: 'our choice: world-names',
  })
}

async function drawName({ random }: Ports, worlds: Worlds): Promise<string> {
  for (;;) {
    const name = `w-${toHex(await random.bytes('world', 8))}`
    if (!(await worlds.look(name))) return name
  }
}

export function listWorlds(worlds: Worlds): { items: WorldSummary[]; totalCount: number } {
  const items = worlds.list().map(toSummary)
  return { items, totalCount: items.length }
}

export function requireWorld(worlds: Worlds, name: string): WorldSummary {
  const found = worlds.list().find((world) => world.name === name)
  if (!found) refuseUnknown(worlds, name)
  return toSummary(found)
}

export async function lookUpWorld(worlds: Worlds, name: string): Promise<Ports> {
  return (await worlds.look(name)) ?? refuseUnknown(worlds, name)
}

export async function deleteWorld(worlds: Worlds, name: string): Promise<void> {
  if (name === DEFAULT_WORLD) {
    throw new DomainError(
      'conflict',
      'the default world stays; POST /_control/reset puts it where it was at its start',
      { source: 'our choice: world-names' },
    )
  }
  requireWorld(worlds, name)
  await worlds.delete(name)
}

function refuseUnknown(worlds: Worlds, name: string): never {
  const names = worlds.list().map((each) => each.name)
  throw notFound(`no world is named ${name}${sayNearest(name, names)}`, 'our choice: world-names')
}

function toSummary({ name, from, at, seed, profile, createdAt, expiresIn }: WorldDescription): WorldSummary {
  return {
    name,
    createdAt: new Date(createdAt).toISOString(),
    ...(from !== undefined && { from }),
    ...(at !== undefined && { at }),
    ...(seed !== undefined && { seed }),
    ...(profile !== undefined && { profile }),
    ...(expiresIn !== undefined && { expiresAt: new Date(createdAt + expiresIn * 1000).toISOString() }),
  }
}
