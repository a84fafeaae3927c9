import { pactStateOperations } from '../../../contract/control/snapshots.ts'
import type { PactStateChange, PactStateValues } from '../../../contract/records/control/pact-state.ts'
import { takeBack } from '../../domain/control/pact/set-back.ts'
import { DomainError, finding, invalidInput } from '../../domain/errors.ts'
import { type ControlContext, implementControl } from '../context.ts'
import { findState, type StateWork } from './states.ts'

/** The state change address of Pact's verifiers. */
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
      // Each finds the world as the one before has left it.
      for (const setUp of states) Object.assign(values, await setUpOne(setUp, work))
      return values
    },
  })
}

/** A refusal while a state is set up is told as the fault of the values that the state names. */
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
