export interface Finding {
  code: string
  message: string
  path: string
}

interface Line {
  text: string
  /** `locations[1].lat` */
  path: string
}

interface Props {
  text: string
  errors: readonly Finding[]
  warnings: readonly Finding[]
}

/** The card line by line; lines with findings say them. */
export function CardText({ text, errors, warnings }: Props) {
  const card = parse(text)
  if (typeof card !== 'object' || card === null) return null
  const lines = toLines(card)
  const at = (findings: readonly Finding[], path: string) =>
    findings.filter((each) => each.path === path && path !== '')
  return (
    <pre class="code marked" tabIndex={0} role="region" aria-label="The card with its findings">
      {lines.map(({ text: line, path }, index) => {
        const wrong = at(errors, path)
        const odd = at(warnings, path)
        const tone = wrong.length > 0 ? 'bad' : odd.length > 0 ? 'warn' : ''
        return (
          <span key={`${index} ${path}`} class={`line ${tone}`}>
            {line}
            {tone ? <em>{[...wrong, ...odd].map(({ code }) => code).join(', ')}</em> : null}
          </span>
        )
      })}
    </pre>
  )
}

function toLines(value: unknown, path = '', name = '', indent = ''): Line[] {
  const known = typeof value === 'string' && indent === '  ' ? (parseObject(value) ?? value) : value
  if (typeof known !== 'object' || known === null) return [{ text: `${indent}${name}${JSON.stringify(known)}`, path }]
  const isList = Array.isArray(known)
  const [open, close] = isList ? '[]' : '{}'
  const children = Object.entries(known).flatMap(([key, each]) =>
    toLines(each, isList ? `${path}[${key}]` : `${path}${path && '.'}${key}`, isList ? '' : `${key}: `, `${indent}  `),
  )
  return [{ text: `${indent}${name}${open}`, path }, ...children, { text: `${indent}${close}`, path: '' }]
}

/** Cards carry their parts as escaped strings too. */
function parseObject(text: string): object | undefined {
  const value = parse(text)
  return typeof value === 'object' && value !== null ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
