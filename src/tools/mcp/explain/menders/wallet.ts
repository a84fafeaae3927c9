import { sayValue, valueAt, withValue } from '../call-places.ts'
import { listRecords, nearestFirst, valuesOf } from '../known/records.ts'
import type { Change, Ground, Mender } from '../mender.ts'

/** Document 2, section 4 puts each parameter in its place. */
const targets: Readonly<Record<string, string>> = {
  partnerCode: 'header.partnercode',
  modelName: 'query.modelName',
  serviceType: 'query.serviceType',
  countryCode: 'query.countryCode',
}

/** Document 2, section 7 has a message that names the missing, invalid or too long parameters. */
export const mendWallet: Mender = async (ground, { call, refusal: { code, message } }) => {
  if (!/^CMN[12]N/.test(code)) return []
  const named = Object.keys(targets).filter((name) => new RegExp(`\\b${name}\\b`).test(message))
  const names = named.length > 0 ? named : ['countryCode']
  const values = await Promise.all(names.map((name) => findValue(ground, name, valueAt(call, targets[name]!))))
  const told = names.map((name, at) => `${name} is ${sayValue(values[at])}`)
  const changed = names.reduce((each, name, at) => withValue(each, targets[name]!, values[at]), call)
  return [{ call: changed, told: told.join(', ') }] satisfies Change[]
}

async function findValue({ fork, people }: Ground, name: string, given: unknown): Promise<unknown> {
  const text = typeof given === 'string' ? given : undefined
  if (name === 'serviceType') return 'WALLET'
  if (name === 'partnerCode') return people.partners[0]
  if (name === 'countryCode') return text !== undefined && /^[a-z]{2}$/.test(text) ? text.toUpperCase() : 'US'
  const models = await listRecords(fork, 'deviceModels')
  const available = models.filter((model) => model.available === true)
  const [nearest] = nearestFirst(text, valuesOf(available.length > 0 ? available : models, 'modelName'))
  return nearest
}
