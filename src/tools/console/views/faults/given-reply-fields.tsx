import { Code } from '../../parts/code.tsx'
import { Field } from '../../parts/field.tsx'
import { TextArea } from '../../parts/form.tsx'
import type { FaultPlan } from './fault-plan.ts'
import { previewOf, toGivenReply } from './given-reply.ts'

export function GivenReplyFields({ plan, bind }: { plan: FaultPlan; bind: BindText }) {
  return (
    <>
      <Field label="Status" type="number" {...bind('value')} required />
      <TextArea label="Headers, one a line" {...bind('headers')} rows={3} optional />
      <TextArea label="Body, word for word; none: the work is done below 400" {...bind('body')} rows={5} optional />
      <Code value={previewOf(toGivenReply(plan), plan.name)} label="What a client gets" />
    </>
  )
}

type BindText = (name: keyof FaultPlan) => { value: string; onInput(value: string): void }
