import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAct } from '../hooks.ts'
import { Choice, Field } from '../parts/field.tsx'
import { Refusal } from '../parts/state.tsx'
import { Form } from '../parts/form.tsx'

const matches = [
  ['operation', 'Operation'],
  ['path', 'Path, * for anything'],
  ['soapOperation', 'SOAP operation'],
] as const

const answers = [
  ['status', 'HTTP status'],
  ['fault', 'SOAP fault'],
  ['resultCode', 'Wallet result code'],
  ['reset', 'Reset the connection'],
  ['delay', 'Only delay'],
] as const

const starts: Readonly<Record<string, string>> = {
  operation: '30',
  path: '/stg/us/*',
  soapOperation: 'getSubscriptionStatus',
  status: '503',
  fault: '301',
  resultCode: 'CMN4N8003',
}

export function NewFault() {
  const act = useAct()
  const [match, setMatch] = useState('operation')
  const [target, setTarget] = useState('30')
  const [answer, setAnswer] = useState('status')
  const [value, setValue] = useState('503')
  const [bounds, setBounds] = useState({ times: '', delayMs: '', probability: '' })
  const set = (name: keyof typeof bounds) => (text: string) => setBounds({ ...bounds, [name]: text })
  const hasValue = answer !== 'reset' && answer !== 'delay'
  const add = () =>
    call('POST', 'faults', {
      match: { [match]: toNumber(target) },
      ...(answer !== 'delay' && { respond: { [answer]: hasValue ? toNumber(value) : true } }),
      ...Object.fromEntries(
        Object.entries(bounds).flatMap(([name, text]) => (text === '' ? [] : [[name, Number(text)]])),
      ),
    })
  return (
    <Form label="New fault" class="panel row" onSubmit={() => void act.run(add)}>
      <Choice
        label="Requests of"
        value={match}
        onChoose={(chosen) => {
          setMatch(chosen)
          setTarget(starts[chosen] ?? '')
        }}
        options={matches}
      />
      <Field label="Which" value={target} onInput={setTarget} required />
      <Choice
        label="Get"
        value={answer}
        onChoose={(chosen) => {
          setAnswer(chosen)
          setValue(starts[chosen] ?? '')
        }}
        options={answers}
      />
      {hasValue ? <Field label="Value" value={value} onInput={setValue} required /> : null}
      <Field label="Times" type="number" value={bounds.times} onInput={set('times')} placeholder="always" />
      <Field label="Delay, ms" type="number" value={bounds.delayMs} onInput={set('delayMs')} placeholder="none" />
      <Field
        label="Probability"
        type="number"
        value={bounds.probability}
        onInput={set('probability')}
        placeholder="1"
      />
      <button type="submit" class="primary" disabled={act.busy}>
        Add the fault
      </button>
      <Refusal error={act.error} />
    </Form>
  )
}

/** Operations of document 1 and SOAP faults have numbers, others names. */
function toNumber(text: string): number | string {
  return /^-?\d+$/.test(text) ? Number(text) : text
}
