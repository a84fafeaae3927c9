import type { Ports } from '../../ports.ts'
import type { Fault, FaultDraft } from '../../schemas/control/fault.ts'
import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'

type Faulty = Pick<Ports, 'faults' | 'random'>

export async function addFault({ faults, random }: Faulty, draft: FaultDraft): Promise<Fault> {
  return faults.add(draft, await newId(random, 'fault', 'F'))
}

export function listFaults({ faults }: Pick<Faulty, 'faults'>): { items: Fault[]; totalCount: number } {
  const items = faults.list()
  return { items, totalCount: items.length }
}

export function deleteFault({ faults }: Pick<Faulty, 'faults'>, faultId: string): void {
  if (!faults.delete(faultId)) {
    throw new DomainError('not-found', `no fault has the id ${faultId}`, { source: 'our choice' })
  }
}
