import type { Ports } from '#server/ports.ts'
import type { AccessToken, AccessTokenRequest } from '#contract/records/events/access-token.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import { DomainError, finding, invalidInput } from '../errors.ts'
import { newToken } from '../ids.ts'
import { filterTypes } from './subscription-filters.ts'

/** 32 letters and digits correspond to 190 random bits. */
const TOKEN_LENGTH = 32
const RULE = 'document 2, section 5, rule 1'

/** Used by the control API. The document does not define an operation that issues tokens. */
export async function issueAccessToken(
  ports: Ports,
  { user, scopes, locations, expiresIn, force }: AccessTokenRequest,
): Promise<{ accessToken: string }> {
  const { store, clock, random, digests } = ports
  if (!force) await assertKnown(ports, scopes, locations)
  const accessToken = await newToken(random, 'accessToken', TOKEN_LENGTH)
  const expiresAt = new Date(clock.now() + expiresIn * 1000).toISOString()
  const tokenDigest = digests.sha256(accessToken)
  await store.transaction((tx) => tx.accessTokens.put({ tokenDigest, user, scopes, locations, expiresAt }))
  return { accessToken }
}

const ours = { source: 'our choice: control-refusals' } as const

async function assertKnown({ store }: Ports, scopes: readonly string[], locations: readonly string[]): Promise<void> {
  const known = Object.values(filterTypes).map(({ scope }) => scope)
  const findings = scopes.flatMap((scope, i) =>
    known.includes(scope)
      ? []
      : [
          finding(
            `body.scopes[${i}]`,
            `is not a known scope${suggestNearest(scope, known)} (force: true accepts it)`,
            ours,
          ),
        ],
  )
  for (const [i, id] of locations.entries()) {
    if (await store.locations.get(id)) continue
    const ids = (await store.locations.find({ limit: 20 })).map(({ locationId }) => locationId)
    findings.push(
      finding(
        `body.locations[${i}]`,
        `is not a known location${suggestNearest(id, ids)} (force: true accepts it)`,
        ours,
      ),
    )
  }
  if (findings.length > 0) throw invalidInput(findings)
}

export async function revokeAccessToken(ports: Ports, accessToken: string): Promise<boolean> {
  const tokenDigest = ports.digests.sha256(accessToken)
  return ports.store.transaction(async (tx) => {
    const existed = await tx.accessTokens.delete(tokenDigest)
    if (existed) tx.emit({ notice: { kind: 'token-ended', tokenDigest } })
    return existed
  })
}

/** `near` completes the message about a missing token. */
export async function requireAccessToken(
  ports: Ports,
  accessToken: string | undefined,
  near = '',
): Promise<AccessToken> {
  if (accessToken === undefined) {
    throw new DomainError('unauthenticated', `Authorization: Bearer with an access token is required${near}`, {
      source: RULE,
      hint: 'GET /_control/status lists tokens',
    })
  }
  return requireValidToken(ports, ports.digests.sha256(accessToken))
}

const CAUSE = '. A reset, or a restart without stored state, deletes all issued tokens'

/** `name` and `advice` describe the token in error messages. */
export async function requireValidToken(
  { store, clock }: Ports,
  tokenDigest: string,
  { name = 'the access token', advice }: { name?: string; advice?: string } = {},
): Promise<AccessToken> {
  const token = await store.accessTokens.get(tokenDigest)
  if (!token)
    throw new DomainError('invalid-token', `${name} is unknown or revoked${advice ?? CAUSE}`, {
      hint: 'GET /_control/status lists tokens',
      source: 'our choice: subscription-statuses',
    })
  if (Date.parse(token.expiresAt) <= clock.now()) {
    throw new DomainError('expired-token', `${name} has expired${advice ?? ''}`, {
      hint: 'POST /_control/tokens issues another',
      source: 'our choice: subscription-statuses',
    })
  }
  return token
}

export async function findBearersUser(
  { store, clock, digests }: Ports,
  accessToken: string,
): Promise<string | undefined> {
  const token = await store.accessTokens.get(digests.sha256(accessToken))
  return token && clock.now() < Date.parse(token.expiresAt) ? token.user : undefined
}
