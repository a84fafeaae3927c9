import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { toDigest } from '#tools/console/cases/replay.ts'
import { readAll, useAnswer, useRecords, useWorldNow } from '#tools/console/live.ts'
import { Code, CopyButton } from '#tools/console/parts/code.tsx'
import { Choice, Field, Form, usePlan } from '#tools/console/parts/form.tsx'
import { Badge } from '#tools/console/parts/basics.tsx'
import { Table } from '#tools/console/parts/table.tsx'
import { toMinute } from '#tools/console/text.ts'
import type { Location } from '#contract/records/events/location.ts'
import type { RecordOf } from '#contract/records/collections.ts'

type Token = RecordOf<'accessTokens'>

export function Tokens() {
  return (
    <section>
      <h1>Tokens and certificates</h1>
      <p class="hint">
        The server accepts any user name, and does not check that the user exists. A user only owns subscriptions. The
        homes of the token decide which devices and events a client gets.
      </p>
      <NewToken />
      <details class="panel">
        <summary>Certificate for the wallet</summary>
        <Certificates />
      </details>
      <TokenTable />
    </section>
  )
}

function NewToken() {
  const { plan, bind } = usePlan({ user: 'alice-home', home: '', scopes: 'r:devices:* r:locations:*', minutes: '60' })
  const homes = useRecords<'locations'>('locations').data?.items ?? []
  const [token, setToken] = useState<string | undefined>()
  const issue = async () => {
    setToken(undefined)
    const scopes = plan.scopes.split(/\s+/).filter(Boolean)
    setToken(await issueToken(plan.user, scopes, Number(plan.minutes) * 60, plan.home))
  }
  return (
    <>
      <Form
        label="New token"
        class="panel row"
        submit="Issue token"
        done={`Issued a token for ${plan.user}`}
        onSubmit={issue}
      >
        <Field label="User" {...bind('user')} required />
        <Choice
          label="Homes"
          {...bind('home')}
          options={[['', 'all homes'], ...homes.map(({ locationId, name }) => [locationId, name] as const)]}
        />
        <Field label="Scopes" grow {...bind('scopes')} required />
        <Field label="Expires in, minutes" type="number" {...bind('minutes')} name="expiresIn" required />
      </Form>
      {token ? (
        <div class="panel" role="status">
          <div class="title-row">
            <span>
              Copy the token now. It is not shown again. The list shows it as <code>{endOf(toDigest(token))}</code>.
            </span>
            <CopyButton text={token} label="Copy the token" />
          </div>
          <Code value={token} label="The token" />
        </div>
      ) : null}
    </>
  )
}

/** Without `home`, the token is valid for all homes. */
export async function issueToken(user: string, scopes: string[], expiresIn: number, home?: string): Promise<string> {
  const { items } = await api.records.list<Location>('locations', { limit: 100 })
  const locations = home ? [home] : items.map(({ locationId }) => locationId)
  return (await api.tokens.issue({ user, scopes, locations, expiresIn })).accessToken
}

function TokenTable() {
  const load = async () => {
    const page = await readAll((range) => api.records.list<Token>('accessTokens', range))
    // By default, records are in the order of their keys, which are random.
    return { ...page, items: page.items.toSorted((a, b) => a.user.localeCompare(b.user)) }
  }
  const tokens = useAnswer('accessTokens', load, { keep: true })
  const homes = useRecords<'locations'>('locations').data?.items ?? []
  const now = useWorldNow(60_000) ?? 0
  const names = useAnswer('token names', nameTokens, { once: true })
  const nameOf = ({ tokenDigest }: Token) => names.data?.get(tokenDigest) ?? endOf(tokenDigest)
  return (
    <Table
      label="Tokens"
      noun="token"
      of={tokens}
      columns={[
        { title: 'User', width: '9rem', value: ({ user }) => user },
        { title: 'Token', width: '11rem', value: nameOf, cell: (token) => <code>{nameOf(token)}</code> },
        { title: 'Homes', value: ({ locations }) => describeHomes(locations, homes) },
        { title: 'Scopes', value: ({ scopes }) => scopes.join(' ') || 'no scopes' },
        {
          title: 'Expires',
          width: '14rem',
          value: ({ expiresAt }) => expiresAt,
          cell: ({ expiresAt }) => {
            const isValid = Date.parse(expiresAt) > now
            const word = isValid ? 'expires' : 'expired'
            return <Badge tone={isValid ? 'good' : 'warn'}>{`${word} ${toMinute(expiresAt)}`}</Badge>
          },
        },
      ]}
      ask={({ tokenDigest, user }) => ({
        label: 'Revoke token',
        question: 'Revoke this token? This also ends its streams.',
        done: `Revoked a token of ${user}`,
        onYes: () => api.records.delete('accessTokens', tokenDigest),
      })}
      keyOf={({ tokenDigest }) => tokenDigest}
      wraps
      placeholder="user, home, scope"
    />
  )
}

function describeHomes(ids: readonly string[], homes: readonly Location[]): string {
  if (ids.length > 1 && homes.every(({ locationId }) => ids.includes(locationId))) return 'all homes'
  return ids.map((id) => homes.find(({ locationId }) => locationId === id)?.name ?? id).join(', ') || 'no homes'
}

const endOf = (tokenDigest: string) => `digest …${tokenDigest.slice(-6)}`

/** The world stores only digests. The tokens of the fixtures are public, so this function calculates their digests. */
export async function nameTokens(): Promise<ReadonlyMap<string, string>> {
  const { try: names } = await api.status()
  return new Map(names.tokens.map((name) => [toDigest(name), name]))
}

function Certificates() {
  const [request, setRequest] = useState('')
  const [issued, setIssued] = useState<{ certificate: string; authority: string } | undefined>()
  return (
    <>
      <Form
        label="Certificate"
        class="column"
        submit="Issue certificate"
        done="Issued the certificate"
        onSubmit={async () => {
          setIssued(undefined)
          setIssued(await api.wallet.certificate(request))
        }}
      >
        <Field
          label="Signing request, PEM (the command vendor-cloud wallet request creates one)"
          rows={6}
          required
          value={request}
          onInput={setRequest}
        />
      </Form>
      {issued ? (
        <>
          <Code value={issued.certificate} label="The certificate" />
          <Code value={issued.authority} label="The authority's certificate" />
        </>
      ) : null}
    </>
  )
}
