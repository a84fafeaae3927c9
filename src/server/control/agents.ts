import { agentOperations } from '#contract/control/agents.ts'
import { notFound } from '../domain/errors.ts'
import { UnreadableBody } from '../http/input/json-body.ts'
import { signalWhileOpen } from '../http/connection/client-left.ts'
import { type ControlContext, implementControl } from './context.ts'

/** Error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

/** The caller passes the MCP tools in, so that the server does not import them. */
export function agents({ answerMcp }: ControlContext) {
  return implementControl(agentOperations, {
    speakMcp: async (asked, reply) => {
      const { ports, url, headers, body } = asked
      if (!answerMcp) throw notFound('this server was started without MCP tools', 'our choice: control-refusals')
      if (body instanceof UnreadableBody) {
        const error = { code: PARSE_ERROR, message: body.finding.message }
        return reply.code(400).send({ jsonrpc: '2.0', error, id: null })
      }
      if (Array.isArray(body)) {
        const message = 'batches are not supported since protocol version 2025-06-18. Send one message per request'
        return reply.code(400).send({ jsonrpc: '2.0', error: { code: INVALID_REQUEST, message }, id: null })
      }
      const pairs = Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
      const signal = signalWhileOpen(asked, reply)
      const request = new Request(new URL(url, 'http://localhost'), { method: 'POST', headers: pairs, signal })
      const answer = await answerMcp(request, { body, world: ports.world.name })
      const { status, headers: own, body: stream } = answer
      reply.code(status).headers(Object.fromEntries(own))
      return reply.send(stream ?? undefined)
    },
  })
}
