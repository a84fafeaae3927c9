import { findExample } from '../../../contract/example.ts'
import { knownFixtures } from '../../../contract/records/known-fixtures.ts'
import { REDACTED } from '../../../contract/records/secret-names.ts'
import type { JournalEntry } from '../../control-client/types.ts'
import type { Call } from '../calls/call.ts'

/** Names of the fixtures stand for what the journal hides. */
export interface FilledCall {
  call: Call
  /** Each part names its header and value, such as `vendorus-profid dealer-erin`. */
  assumed: string[]
  /** A fault may strike before the body is read: then the journal has none. */
  lacksBody: boolean
}

export function fillHidden(call: Call, { request }: JournalEntry): FilledCall {
  const { operation, headers, body } = call
  const example = operation && findExample({ scope: operation.scope })?.headers
  const [web, , splus, voyager] = knownFixtures.callers
  const names: Readonly<Record<string, string>> = {
    'vendorus-profid': example?.['vendorus-profId'] ?? web,
    'vendorus-guid': headers['request-source'] === 'voyager' ? voyager : splus,
    authorization: `Bearer ${knownFixtures.tokens[0]}`,
    partnercode: knownFixtures.partners[0],
  }
  const isHidden = ([name, value]: [string, string]) => value === REDACTED && Object.hasOwn(names, name)
  const people = Object.entries(headers)
    .filter(isHidden)
    .map(([name]): [string, string] => [name, names[name]!])
  const secrets = Object(body).secret === REDACTED ? { secret: knownFixtures.sellers[0] } : {}
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request?.headers ?? {}
  return {
    call: {
      ...call,
      headers: { ...headers, ...Object.fromEntries(people) },
      ...('secret' in secrets && { body: { ...(body as object), ...secrets } }),
    },
    assumed: [...people, ...Object.entries(secrets)].map(([name, value]) => `${name} ${value}`),
    lacksBody: body === undefined && (length !== '0' || coding !== undefined) && !operation?.contract.form,
  }
}
