import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, type ErrorCode } from '../domain/errors.ts'
import { displayedRequestId } from './request-context.ts'
import { OutOfSpace, TookTooLong, TooManyJobs, Unavailable, WorldEnded } from '../ports/failures.ts'
import type { FaultResponse } from '#contract/records/control/fault-response.ts'

export const LEFT_EARLY = 'the client disconnected before its request was complete'
export const LEFT_UNANSWERED = 'the client disconnected before the response'

const fromFastify: Record<string, readonly [ErrorCode, message?: string]> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed', 'the length of the body does not match content-length'],
  FST_ERR_BAD_URL: ['malformed', 'the path cannot be decoded. Write a literal % as %25, and other characters in UTF-8'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found'],
}

type Refused = Pick<FastifyRequest, 'id' | 'log' | 'ports' | 'routeOptions' | 'server'>

/** If the address of a request cannot be decoded, the request has no ports. */
const contextOf = (request: Refused) =>
  request.ports && { world: request.ports.world.name, reqId: displayedRequestId(request) }

/** The client gets only `internal` for an unexpected error. Without the control API, hints about it are removed. */
export function toDomainError(thrown: unknown, request: Refused): DomainError {
  const error = readError(thrown, request)
  if (error.hint === undefined || request.server.knownPaths.methodsOf('/_control/status').length > 0) return error
  return error.withoutHint()
}

function readError(thrown: unknown, request: Refused): DomainError {
  const { log, routeOptions } = request
  if (thrown instanceof DomainError) return thrown
  if (thrown instanceof WorldEnded)
    return new DomainError('not-found', thrown.message, { source: 'our choice: ended-worlds', cause: thrown })
  if (thrown instanceof TooManyJobs)
    return new DomainError('too-many-requests', thrown.message, { source: 'our choice: heavy-jobs', cause: thrown })
  if (thrown instanceof Unavailable) {
    log.error({ ...contextOf(request), err: thrown }, 'the store cannot be reached')
    return new DomainError('unavailable', describeUnavailable(thrown), {
      source: 'our choice: further-statuses',
      cause: thrown,
    })
  }
  const { code, message = '', statusCode } = thrown as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const said = `the body is larger than ${routeOptions.bodyLimit.toLocaleString('en-US')} bytes`
    const source = routeOptions.config.bodySource ?? 'our choice: json-bounds'
    return new DomainError('payload-too-large', said, { source, cause: thrown })
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const source = routeOptions.config.bodySource ?? 'our choice: content-types'
    const said = 'the content-type is not a valid media type (TYPE/SUBTYPE)'
    return new DomainError('unsupported-media-type', said, { source, cause: thrown })
  }
  // Node reports this error if the client disconnects while sending the body.
  if (code === 'ECONNRESET' && message === 'aborted')
    return new DomainError('client-left', LEFT_EARLY, { source: null, cause: thrown })
  const isRefused = statusCode !== undefined && statusCode >= 400 && statusCode < 500
  const [known, words] = fromFastify[code ?? ''] ?? (isRefused ? ['malformed' as const] : [])
  if (known) {
    const said = (words ?? message) || 'the request could not be read'
    return new DomainError(known, said, { source: 'our choice: further-statuses', cause: thrown })
  }
  log.error({ ...contextOf(request), err: thrown }, 'unexpected error')
  return new DomainError('internal', 'internal server error', { source: null, cause: thrown })
}

export const DISK_IS_FULL = 'the disk is full. Reads work, writes are rejected'

function describeUnavailable(thrown: Unavailable): string {
  if (thrown instanceof OutOfSpace) return DISK_IS_FULL
  return thrown instanceof TookTooLong ? 'the store took too long. Try again' : 'the server cannot reach its store'
}

/** An injected error. The error handler of each document writes it in the format of that document. */
export class InjectedFault extends DomainError {
  readonly respond: FaultResponse

  constructor(respond: FaultResponse, name: string) {
    super('internal', `injected fault ${name}`, { source: 'POST /_control/faults' })
    this.respond = respond
  }
}

/** Lists rules that are not in the body, for example `our choice: zip-codes; document 1, operation 30`. */
export const RULE_HEADER = 'x-vendor-cloud-rule'

/** `hasDetails` means that the body already lists the findings with their rules. */
export function citeRules(reply: FastifyReply, error: DomainError, hasDetails = false): void {
  if (error instanceof InjectedFault) return
  const listed = error.findings.map(({ source }) => source)
  const rules = hasDetails ? [error.source].filter((each) => !listed.includes(each)) : [error.source, ...listed]
  const cited = [...new Set(rules)].filter((each) => each !== undefined)
  if (cited.length > 0) reply.header(RULE_HEADER, cited.join('; '))
}

/** RFC 9110, sections 11.6.1 and 11.7.1. Never `Basic`, because browsers would open a login dialog. */
export function addChallenge({ url }: FastifyRequest, reply: FastifyReply): void {
  const { statusCode } = reply
  if (statusCode !== 401 && statusCode !== 407) return
  const name = statusCode === 401 ? 'www-authenticate' : 'proxy-authenticate'
  if (!reply.hasHeader(name)) reply.header(name, url.startsWith('/stg/') ? 'Identity realm="vendor-cloud"' : 'Bearer')
}
