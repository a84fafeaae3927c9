import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAct, useLoad, useWorldNow } from '../hooks.ts'
import { Ask } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Badge, Empty, Loading, Refusal } from '../parts/state.tsx'
import { toMinute } from '../text.ts'
import type { AccessToken, Location, Page } from '../types.ts'

/** What lets clients in: tokens for events, certificates for the wallet's partners. */
export function Access() {
  return (
    <section>
      <h1>Tokens and certificates</h1>
      <NewToken />
      <Tokens />
      <Certificates />
    </section>
  )
}

function NewToken() {
  const locations = useLoad<Page<Location>>('records/locations?limit=100')
  const act = useAct()
  const [plan, setPlan] = useState({ user: 'alice-home', scopes: 'r:devices:* r:locations:*', minutes: '60' })
  const [token, setToken] = useState<string | undefined>()
  const set = (name: keyof typeof plan) => (value: string) => setPlan({ ...plan, [name]: value })
  const issue = async () => {
    setToken(undefined)
    const { accessToken } = await call<{ accessToken: string }>('POST', 'tokens', {
      user: plan.user,
      scopes: plan.scopes.split(/\s+/).filter(Boolean),
      locations: (locations.data?.items ?? []).map(({ locationId }) => locationId),
      expiresIn: Number(plan.minutes) * 60,
    })
    setToken(accessToken)
  }
  return (
    <>
      <Form label="New token" class="panel row" onSubmit={() => void act.run(issue)}>
        <Field label="User" value={plan.user} onInput={set('user')} required />
        <Field label="Scopes" grow value={plan.scopes} onInput={set('scopes')} required />
        <Field label="Minutes" type="number" value={plan.minutes} onInput={set('minutes')} required />
        <button type="submit" class="primary" aria-disabled={act.busy}>
          Issue a token
        </button>
        <Refusal error={act.error} />
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
  const { data, error } = useLoad<Page<AccessToken>>('records/accessTokens?limit=100')
  const act = useAct()
  const now = useWorldNow(60_000) ?? 0
  return (
    <>
      <Refusal error={error ?? act.error} />
      {!data && !error ? <Loading /> : null}
      {data?.totalCount === 0 ? <Empty title="No token was issued." /> : null}
      <ul class="faults" aria-label="Tokens">
        {data?.items.map(({ tokenDigest, user, scopes, expiresAt }) => (
          <li key={tokenDigest} class="panel">
            <div>
              <strong>{user}</strong>
              <p>{scopes.join(' ')}</p>
            </div>
            <Badge tone={Date.parse(expiresAt) > now ? 'good' : 'warn'}>until {toMinute(expiresAt)}</Badge>
            <Ask
              label="Revoke"
              question="Revoke it? Its streams end."
              off={act.busy}
              onYes={() =>
                void act.run(() => call('DELETE', `records/accessTokens/${encodeURIComponent(tokenDigest)}`))
              }
            />
          </li>
        ))}
      </ul>
    </>
  )
}

function Certificates() {
  const act = useAct()
  const [request, setRequest] = useState('')
  const [issued, setIssued] = useState<{ certificate: string; authority: string } | undefined>()
  return (
    <Form
      label="Certificate"
      class="panel card-form"
      onSubmit={() =>
        void act.run(async () => {
          setIssued(undefined)
          setIssued(await call('POST', 'wallet/certificates', { request }))
        })
      }
    >
      <h2>A certificate for the wallet</h2>
      <label class="field">
        <span>Signing request, PEM; vendor-cloud wallet csr writes one</span>
        <textarea
          class="mono"
          rows={6}
          required
          spellcheck={false}
          value={request}
          onInput={(event) => setRequest(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary quiet" aria-disabled={act.busy}>
        Issue a certificate
      </button>
      <Refusal error={act.error} />
      {issued ? (
        <>
          <Code value={issued.certificate} label="The certificate" />
          <Code value={issued.authority} label="The authority's certificate" />
        </>
      ) : null}
    </Form>
  )
}
