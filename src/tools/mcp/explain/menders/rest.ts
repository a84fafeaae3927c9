import type { Mender } from '../mender.ts'
import { exampleOf } from '../../calls/call.ts'
import { findJson } from '../../../../contract/records/decoded-text.ts'

/** The reply says how long to wait, so the fork's clock moves by that. */
export const mendRate: Mender = (_, { call, refusal: { status, retryAfter = 60 } }) => {
  if (status !== 429) return []
  const seconds = retryAfter === 1 ? '1 second' : `${retryAfter} seconds`
  return [{ call, told: `the call stays as it is, ${seconds} later`, wait: `PT${retryAfter}S` }]
}

export const mendBody: Mender = (_, { call, refusal: { code, findings } }) => {
  const { operation, headers, body } = call
  const isBody =
    findings.some(({ target }) => target === 'body') || /^(?:UnsupportedMediaType|PayloadTooLarge)/.test(code)
  if (!operation || operation.soap || !isBody) return []
  const { 'content-encoding': _coding, ...others } = headers
  const json = { ...others, 'content-type': 'application/json' }
  const read = typeof body === 'string' ? findJson(body) : body
  const sample = {
    call: { ...call, headers: json, body: exampleOf(operation).body },
    told: 'the body is the example of the operation',
  }
  if (operation.contract.form)
    return [{ call: { ...call, headers: others, body: undefined }, told: 'the form holds one image' }]
  return read === undefined
    ? [sample]
    : [{ call: { ...call, headers: json, body: read }, told: 'the body is sent as JSON' }, sample]
}
