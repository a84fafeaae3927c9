import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { toDigest } from '#tools/console/cases/replay.ts'
import { useAct, useAnswer, useRecords, useWorldNow } from '#tools/console/hooks.ts'
import { Ask } from '#tools/console/parts/button.tsx'
import { Code, CopyButton } from '#tools/console/parts/code.tsx'
import { Field } from '#tools/console/parts/field.tsx'
import { Form, TextArea, usePlan } from '#tools/console/parts/form.tsx'
import { Item, List } from '#tools/console/parts/list.tsx'
import { Pager } from '#tools/console/parts/pager.tsx'
import { Badge, Refusal } from '#tools/console/parts/state.tsx'
import { toMinute } from '#tools/console/text.ts'
import type { Location } from '#tools/console/types.ts'

const PAGE = 50

export function Access() {
  return (
    <section>
      <h1>Tokens and certificates</h1>
      <NewToken />
      <Certificates />
      <Tokens />
    </section>
  )
}

function NewToken() {
  const { plan, bind } = usePlan({ user: 'alice-home', scopes: 'r:devices:* r:locations:*', minutes: '60' })
  const [token, setToken] = useState<string | undefined>()
  const issue = async () => {
    setToken(undefined)
    const { items } = await api.records.list<Location>('locations', { limit: 100 })
    const { accessToken } = await api.tokens.issue({
      user: plan.user,
      scopes: plan.scopes.split(/\s+/).filter(Boolean),
      locations: items.map(({ locationId }) => locationId),
      expiresIn: Number(plan.minutes) * 60,
    })
    setToken(accessToken)
  }
  return (
    <>
      <Form label="New token" class="panel row" submit="Issue a token" onSubmit={issue}>
        <Field label="User" {...bind('user')} required />
        <Field label="Scopes" grow {...bind('scopes')} required />
        <Field label="Minutes" type="number" {...bind('minutes')} required />
      </Form>
      {token ? (
        <div class="panel" role="status">
          <div class="title-row">
            <span>It is shown this once, and is good for all homes.</span>
            <CopyButton text={token} label="Copy the token" />
          </div>
          <Code value={token} label="The token" />
        </div>
      ) : null}
    </>
  )
}

function Tokens() {
  const [offset, setOffset] = useState(0)
  const tokens = useRecords('accessTokens', { limit: PAGE, offset })
  const act = useAct()
  const now = useWorldNow(60_000) ?? 0
  const names = useAnswer('token names', nameTokens, { once: true })
  return (
    <>
      <Refusal error={act.error} />
      <List label="Tokens" kind="items" of={tokens} empty="No token was issued.">
        {({ tokenDigest, user, scopes, expiresAt }) => (
          <Item
            key={tokenDigest}
            title={user}
            note={
              <>
                {names.data?.has(tokenDigest) ? <code>{names.data.get(tokenDigest)}: </code> : null}
                {scopes.join(' ') || 'no scopes'}
              </>
            }
          >
            {Date.parse(expiresAt) > now ? (
              <Badge tone="good">until {toMinute(expiresAt)}</Badge>
            ) : (
              <Badge tone="warn">ended {toMinute(expiresAt)}</Badge>
            )}
            <Ask
              label="Revoke"
              question="Revoke it? Its streams end."
              act={act}
              onYes={() => api.records.delete('accessTokens', tokenDigest)}
            />
          </Item>
        )}
      </List>
      <Pager offset={offset} size={PAGE} total={tokens.data?.totalCount ?? 0} move={setOffset} />
    </>
  )
}

/** The world keeps only digests; those of the fixtures' tokens, which are no secrets, are computed here. */
async function nameTokens(): Promise<ReadonlyMap<string, string>> {
  const { try: names } = await api.status()
  return new Map(names.tokens.map((name) => [toDigest(name), name]))
}

function Certificates() {
  const [request, setRequest] = useState('')
  const [issued, setIssued] = useState<{ certificate: string; authority: string } | undefined>()
  return (
    <section class="panel" aria-label="Certificates">
      <h2>A certificate for the wallet</h2>
      <Form
        label="Certificate"
        class="column"
        submit="Issue a certificate"
        onSubmit={async () => {
          setIssued(undefined)
          setIssued(await api.wallet.certificate(request))
        }}
      >
        <TextArea
          label="Signing request, PEM; vendor-cloud wallet request writes one"
          rows={6}
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
    </section>
  )
}
