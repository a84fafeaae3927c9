import type { Ports } from '../../ports.ts'
import type { AccessToken } from '../../schemas/events/access-token.ts'
import type { FilterType, SubscriptionFilter } from '../../schemas/events/subscription.ts'
import { DomainError, type Finding } from '../errors.ts'

/** Document 2, section 5, rule 2, names none: our choice. */
const scopes: Record<FilterType, string> = {
  LOCATIONIDS: 'r:locations:*',
  DEVICEIDS: 'r:devices:*',
  INSTALLEDSMARTAPPIDS: 'r:installedapps:*',
  SMARTAPPIDS: 'r:smartapps:*',
}

/** 403 that names every scope the token lacks. */
export function assertScopes(token: AccessToken, filters: readonly SubscriptionFilter[]): void {
  const findings = filters.flatMap(({ type }, i): Finding[] => {
    if (token.scopes.includes(scopes[type])) return []
    const target = `body.subscriptionFilters[${i}].type`
    const message = `${target} ${type} needs the scope ${scopes[type]}, which the token does not have`
    return [{ code: 'MissingScope', message, target, source: 'document 2, section 5, rule 2' }]
  })
  if (findings.length === 0) return
  const missing = [...new Set(filters.map(({ type }) => scopes[type]))].filter((each) => !token.scopes.includes(each))
  throw new DomainError('forbidden', `the token lacks the scope ${missing.join(', ')}`, {
    findings,
    source: 'document 2, section 5, rule 2',
  })
}

/** 403 for ids that are not of the token's locations; whether they exist elsewhere cannot be told from it. */
export async function assertIds(
  ports: Ports,
  token: AccessToken,
  filters: readonly SubscriptionFilter[],
): Promise<void> {
  const findings: Finding[] = []
  for (const [i, { type, value }] of filters.entries()) {
    for (const [j, id] of value.entries()) {
      if (await isWithin(ports, token, type, id)) continue
      const target = `body.subscriptionFilters[${i}].value[${j}]`
      const message = `${target} ${id} is none of the ${nouns[type]} of the token's locations`
      findings.push({ code: 'InvalidParameter', message, target, source: 'our choice' })
    }
  }
  if (findings.length === 0) return
  const summary = 'a filter names ids that are not of the locations of the token'
  throw new DomainError('forbidden', summary, { findings, source: 'our choice' })
}

const nouns: Record<FilterType, string> = {
  LOCATIONIDS: 'location ids',
  DEVICEIDS: 'device ids',
  INSTALLEDSMARTAPPIDS: 'installed application ids',
  SMARTAPPIDS: 'application ids',
}

async function isWithin({ store }: Ports, token: AccessToken, type: FilterType, id: string): Promise<boolean> {
  const isOurs = (locationId: string | undefined) => locationId !== undefined && token.locations.includes(locationId)
  switch (type) {
    case 'LOCATIONIDS':
      return id === 'ALL' || isOurs(id)
    case 'DEVICEIDS':
      return isOurs((await store.devices.get(id))?.locationId)
    case 'INSTALLEDSMARTAPPIDS':
      return isOurs((await store.installedApps.get(id))?.locationId)
    case 'SMARTAPPIDS':
      return (await store.installedApps.find({ where: { appId: id } })).some((app) => isOurs(app.locationId))
  }
}
