import type { VariationKind } from '#contract/records/control/variation.ts'
import type { Chance } from './chance.ts'

/** Changes the syntax of a stream in ways that the HTML Standard allows. Each stream varies differently. */
export class VariedStream {
  readonly #kinds: ReadonlySet<VariationKind>
  readonly #chance: Chance
  readonly #varyData: (json: string) => string
  #hasBegun = false
  /** Timestamp of the current event. Undefined if the event's data is plain text. */
  #eventTime: string | undefined

  constructor(kinds: ReadonlySet<VariationKind>, chance: Chance, varyData: (json: string) => string) {
    this.#kinds = kinds
    this.#chance = chance
    this.#varyData = varyData
  }

  write(text: string): Buffer[] {
    // One line ending per write, because a CR followed by an LF would count as a single line ending.
    const end = this.#kinds.has('sse-line-ends') ? this.#chance.pick(['\r', '\r\n']) : '\n'
    const lines = text.split('\n')
    // If the last line has no ending, a fault has deliberately cut the frame.
    const rest = lines.pop()!
    const varied = lines
      .flatMap((line) => [line, ...this.#eventAfter(line)])
      .flatMap((line) => this.#varyLine(line))
      .map((line) => line + end)
    const begin = this.#kinds.has('sse-bom') && !this.#hasBegun ? '\uFEFF' : ''
    this.#hasBegun = true
    const bytes = Buffer.from(begin + varied.join('') + rest)
    if (!this.#kinds.has('sse-cuts') || bytes.length < 2) return [bytes]
    return this.#chance.cut(bytes, 2 + this.#chance.below(6))
  }

  /** No filter selects the type of the added event. Without an ID, clients resume from the previous event. */
  #eventAfter(line: string): string[] {
    if (!this.#kinds.has('sse-event')) return []
    if (line.startsWith('data: {')) this.#eventTime = /"eventTime":(\d+)/.exec(line)?.[1] ?? '0'
    if (line !== '' || this.#eventTime === undefined) return []
    const type = `FURTHER_EVENT_${this.#chance.below(1000)}`
    const data = `{"eventTime":${this.#eventTime},"eventType":"${type}","furtherEvent":{"ownerType":"LOCATION"}}`
    this.#eventTime = undefined
    return [`event: ${type}`, `data: ${data}`, '']
  }

  #varyLine(line: string): string[] {
    const field = /^(\w+): (.*)$/s.exec(line)
    const comment = this.#kinds.has('sse-comments') && this.#chance.below(2) === 0
    const before = comment ? [this.#chance.pick([':', ': for whoever reads along', ':data: none'])] : []
    if (!field) return [...before, line]
    const [, name, value] = field
    return [...before, ...this.#valuesOf(name!, value!).map((each) => this.#join(name!, each))]
  }

  #valuesOf(name: string, value: string): string[] {
    if (name === 'retry' && this.#kinds.has('sse-retry')) return [String(this.#anotherRetry(Number(value)))]
    if (name !== 'data' || !/^\{.*\}$/s.test(value)) return [value]
    const data = this.#varyData(value)
    return this.#kinds.has('sse-data-lines') ? this.#breakLines(data) : [data]
  }

  /** The space after the colon is optional, unless the value starts with a space. */
  #join(name: string, value: string): string {
    return this.#kinds.has('sse-space') && !value.startsWith(' ') ? `${name}:${value}` : `${name}: ${value}`
  }

  #anotherRetry(ms: number): number {
    const another = Math.round(ms * (0.5 + this.#chance.below(1000) / 1000))
    return another === ms ? ms + 1 : another
  }

  /** A line break is added between two JSON tokens, where it counts as white space. */
  #breakLines(json: string): string[] {
    const tokens = json.match(/"(?:[^"\\]|\\.)*"|[^"{},[\]]+|[{},[\]]/g) ?? [json]
    const first = 1 + this.#chance.below(Math.max(1, tokens.length - 1))
    const lines = ['']
    tokens.forEach((token, i) => {
      if (i > 0 && (i === first || this.#chance.below(6) === 0)) lines.push('')
      lines[lines.length - 1] += token
    })
    return lines
  }
}
