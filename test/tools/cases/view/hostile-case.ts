import { type Case, parseCase } from '../../../../src/contract/files/case.ts'

/** Strings that have a special meaning in HTML, scripts, shells, Mermaid, terminals or JavaScript objects. */
export const hostileTexts = [
  '</script><script>window.struck = 1</script>',
  '<img src=x onerror="window.struck = 1">',
  '<!--<script>',
  "'; touch struck; '",
  '$(touch struck)`touch struck`',
  '\u001b]0;struck\u0007\u009b31m\u0000\r\n\t',
  '\u202estruck\u2066\u2028',
  '%%{init: {"theme": "dark"}}%%; end # $$x$$ \\ & <b>',
  '{{token:1}}{{digest:1}}{{token:999999999999}}',
  '\ud800',
]

export function makeHostileCase(texts: readonly string[] = hostileTexts): Case {
  const header = {
    case: 2,
    version: texts[0],
    name: texts.join(' '),
    world: 'hostile',
    publicUrl: texts[0],
    start: '2026-05-06T16:00:00.000Z',
    seed: 'x',
    head: 0,
    tokens: ['aaaaaaaaaaaa'],
    snapshot: { schemaVersion: 2, records: {} },
  }
  const steps = texts.flatMap((text) => {
    const headers = { [text]: text, 'x-hostile': text, 'content-type': text, constructor: text }
    const call = { method: text, path: `/${text}`, headers, body: text }
    const error = { code: text, message: `${text} (document 1, section 8)`, details: [{ code: text, message: text }] }
    const frame = { subscriptionId: text, event: text, id: text, data: { [text]: { attribute: text, value: text } } }
    return [
      { call, reply: { status: 400, headers, body: JSON.stringify({ error }) } },
      {
        control: { ...call, path: '/_control/clock', body: JSON.stringify({ duration: text }) },
        reply: { status: 200 },
      },
      { control: { ...call, body: { text, charset: 'utf-16le', coding: 'gzip' } }, reply: { body: text } },
      { frame },
      { mail: JSON.parse(`{"__proto__": {"subject": "x"}, "subject": ${JSON.stringify(text)}}`) as unknown },
      { closed: { subscriptionId: text } },
    ]
  })
  const lines = steps.map((step, i) => ({ step: i + 1, at: '2026-05-06T16:00:00.000Z', ...step }))
  return parseCase([header, ...lines].map((line) => JSON.stringify(line)).join('\n'))
}
