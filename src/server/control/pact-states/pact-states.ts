import { pactStateOperations } from '../../../contract/control/snapshots.ts'
import type { PactStateChange, PactStateValues } from '../../../contract/records/control/pact-state.ts'
import { takeBack } from '../../domain/control/pact/set-back.ts'
import { DomainError, finding, invalidInput } from '../../domain/errors.ts'
import { type ControlContext, implementControl } from '../context.ts'
import { findState, type StateWork } from './states.ts'

/** Pact's verifiers call this address before each interaction. */
export function pactStateRoutes({ worlds }: ControlContext) {
  return implementControl(pactStateOperations, {
    changePactState: async ({ ports, body = {}, server }) => {
      const states = namesOf(body).map(findState)
      if (states.length === 0) return {}
      if (body.action === 'teardown') {
        await takeBack(ports)
        return {}
      }
      const work = { worlds, name: ports.world.name, known: server.knownPaths.list() }
      const values: PactStateValues = {}
      // Each state sees the world as the state before it left it.
      for (const setUp of states) Object.assign(values, await setUpOne(setUp, work))
      return values
    },
  })
}

/** A refusal is the fault of the values in the state's own words, so it is told as that. */
async function setUpOne(setUp: ReturnType<typeof findState>, work: StateWork): Promise<PactStateValues> {
  try {
    return await setUp(work)
  } catch (error) {
    if (!(error instanceof DomainError) || !['not-found', 'conflict', 'slot-unavailable'].includes(error.code))
      throw error
    throw invalidInput([
      finding('body.state', `cannot be set up: ${error.message}`, { source: 'our choice: control-refusals' }),
    ])
  }
}

function namesOf({ state, states = [] }: PactStateChange): string[] {
  return [state ?? '', ...states]
    .map((name) => name.trim())
    .filter((name, i, all) => name !== '' && all.indexOf(name) === i)
}
