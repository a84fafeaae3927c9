import { agentOperations } from '../../contract/control/agents.ts'
import { notFound } from '../domain/errors.ts'
import { type ControlContext, implementControl } from './context.ts'

/** The tools of agents are handed in, so that the server imports no tool. */
export function agents({ answerMcp }: ControlContext) {
  return implementControl(agentOperations, {
    speakMcp: async ({ ports, url, headers, body }, reply) => {
      if (!answerMcp) throw notFound('there are no tools of agents in this server', 'our choice: control-refusals')
      const pairs = Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
      const request = new Request(new URL(url, 'http://localhost'), { method: 'POST', headers: pairs })
      const answer = await answerMcp(request, { body, world: ports.world.name })
      const { status, headers: own, body: stream } = answer
      reply.code(status).headers(Object.fromEntries(own))
      return reply.send(stream ?? undefined)
    },
  })
}
