import type { Ports } from '#server/ports.ts'
import type { AccessToken } from '#contract/records/events/access-token.ts'
import type { FilterType, SubscriptionFilter } from '#contract/records/events/subscription.ts'
import { DomainError, type Finding, finding } from '../errors.ts'

/** The collection contains the IDs. Document 2, section 5, rule 2, does not name the scopes. */
export const filterTypes: Record<FilterType, { scope: string; noun: string; records: string }> = {
  LOCATIONIDS: { scope: 'r:locations:*', noun: 'location ids', records: 'locations' },
  DEVICEIDS: { scope: 'r:devices:*', noun: 'device ids', records: 'devices' },
  INSTALLEDSMARTAPPIDS: { scope: 'r:installedapps:*', noun: 'installed application ids', records: 'installedApps' },
  SMARTAPPIDS: { scope: 'r:smartapps:*', noun: 'application ids', records: 'installedApps' },
}

export function assertScopes(token: AccessToken, filters: readonly SubscriptionFilter[]): void {
  const findings: Finding[] = []
  const missing = new Set<string>()
  for (const [i, { type }] of filters.entries()) {
    const { scope } = filterTypes[type]
    if (token.scopes.includes(scope)) continue
    missing.add(scope)
    const from = { code: 'MissingScope', source: 'document 2, section 5, rule 2' } as const
    const rule = `${type} needs the scope ${scope}, which the token does not have`
    findings.push(finding(`body.subscriptionFilters[${i}].type`, rule, from))
  }
  if (findings.length === 0) return
  throw new DomainError('forbidden', `the token lacks the scope ${[...missing].join(', ')}`, {
    findings,
    source: 'our choice: subscription-scopes',
    hint: 'POST /_control/tokens issues one that has it',
  })
}

const ours = { source: 'our choice: subscription-ids' } as const

const MOST_FINDINGS = 100

/** Throws 403. The error for an unknown ID is the same as for an ID outside the token's locations. */
export async function assertIds(
  ports: Ports,
  token: AccessToken,
  filters: readonly SubscriptionFilter[],
): Promise<void> {
  const known = await findOwnIds(ports, token, filters)
  const findings: Finding[] = []
  let unknown = 0
  for (const [i, { type, value }] of filters.entries()) {
    for (const [j, id] of value.entries()) {
      if (known[type].has(id) || ++unknown > MOST_FINDINGS) continue
      const target = `body.subscriptionFilters[${i}].value[${j}]`
      const hint = id === 'ALL' ? '. ALL is only for LOCATIONIDS' : ''
      findings.push(finding(target, `is not among the ${filterTypes[type].noun} of the token's locations${hint}`, ours))
    }
  }
  if (unknown === 0) return
  const more = unknown > MOST_FINDINGS ? `; ${unknown - MOST_FINDINGS} more than are listed` : ''
  const lists = [...new Set(filters.map(({ type }) => `GET /_control/records/${filterTypes[type].records}`))].join(', ')
  const summary = `a filter has IDs that are not in the locations of the token${more}`
  throw new DomainError('forbidden', summary, { findings, ...ours, hint: `all are in ${lists}` })
}

async function findOwnIds(
  { store }: Ports,
  token: AccessToken,
  filters: readonly SubscriptionFilter[],
): Promise<Record<FilterType, ReadonlySet<string>>> {
  const named = (type: FilterType) => [...new Set(filters.flatMap((each) => (each.type === type ? each.value : [])))]
  const isOurs = ({ locationId }: { locationId: string }) => token.locations.includes(locationId)
  const [devices, apps, appsOfSmartApps] = await Promise.all([
    store.devices.find({ where: { deviceId: named('DEVICEIDS') } }),
    store.installedApps.find({ where: { installedAppId: named('INSTALLEDSMARTAPPIDS') } }),
    store.installedApps.find({ where: { appId: named('SMARTAPPIDS') } }),
  ])
  return {
    LOCATIONIDS: new Set(['ALL', ...token.locations]),
    DEVICEIDS: new Set(devices.filter(isOurs).map(({ deviceId }) => deviceId)),
    INSTALLEDSMARTAPPIDS: new Set(apps.filter(isOurs).map(({ installedAppId }) => installedAppId)),
    SMARTAPPIDS: new Set(appsOfSmartApps.filter(isOurs).map(({ appId }) => appId)),
  }
}
