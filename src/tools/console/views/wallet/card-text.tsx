import type { Finding, Tone } from '../../parts/state.tsx'
import { findJson } from '../../../../contract/records/decoded-text.ts'

interface Line {
  text: string
  /** A place such as `body.locations[1].lat`; empty where a part ends. */
  target: string
}

export function CardText({ text, findings }: { text: string; findings: readonly (Finding & { tone: Tone })[] }) {
  const card = findJson(text)
  if (typeof card !== 'object' || card === null) return null
  return (
    <pre class="code marked" tabIndex={0} role="region" aria-label="The card with its findings">
      {toLines(card).map(({ text: line, target }, index) => {
        const here = findings.filter((finding) => finding.target === target)
        return (
          <span key={`${index} ${target}`} class={`line ${here[0]?.tone ?? ''}`}>
            {line}
            {here.length > 0 ? <em>{here.map(({ code }) => code).join(', ')}</em> : null}
          </span>
        )
      })}
    </pre>
  )
}

function toLines(value: unknown, target = 'body', name = '', indent = ''): Line[] {
  const known = typeof value === 'string' && indent === '  ' ? (parseObject(value) ?? value) : value
  if (typeof known !== 'object' || known === null) return [{ text: `${indent}${name}${JSON.stringify(known)}`, target }]
  const isList = Array.isArray(known)
  const [open, close] = isList ? '[]' : '{}'
  const children = Object.entries(known).flatMap(([key, each]) =>
    toLines(each, isList ? `${target}[${key}]` : `${target}.${key}`, isList ? '' : `${key}: `, `${indent}  `),
  )
  return [{ text: `${indent}${name}${open}`, target }, ...children, { text: `${indent}${close}`, target: '' }]
}

/** Cards also carry their parts as escaped strings. */
function parseObject(text: string): object | undefined {
  const value = findJson(text)
  return typeof value === 'object' && value !== null ? value : undefined
}
