import type { VariationKind } from '#tools/client/types.ts'
import type { Chapter, Check, DocumentName } from '../check.ts'
import type { Session } from '../session.ts'

const rules: Readonly<Record<VariationKind, readonly [what: string, source: string]>> = {
  'json-order': ['fields in any order', 'RFC 8259, section 4'],
  'json-extra': ['unknown fields', 'our choice'],
  'json-space': ['white space between tokens', 'RFC 8259, section 2'],
  'json-escape': ['escaped characters', 'RFC 8259, section 7'],
  'json-null': ['null in place of absent fields, and absent fields in place of null', 'our choice'],
  'json-enum': ['unknown values of enumerations that may grow', 'our choice'],
  'http-case': ['header names in any letter case', 'RFC 9110, section 5.1'],
  'http-chunked': ['chunked bodies without a content-length', 'RFC 9112, section 7.1'],
  'http-slow': ['a slow first byte', 'our choice'],
  'http-created': ['201 in place of 200', 'document 1, section 4'],
  'http-gzip': ['a content encoding that it accepts', 'RFC 9110, section 12.5.3'],
  'sse-line-ends': ['lines that end with CR or CRLF', 'HTML Standard, section 9.2.5'],
  'sse-comments': ['comment lines anywhere', 'HTML Standard, section 9.2.5'],
  'sse-data-lines': ['data in several lines', 'HTML Standard, section 9.2.6'],
  'sse-space': ['no space after the colon', 'HTML Standard, section 9.2.6'],
  'sse-bom': ['a byte order mark at the start', 'HTML Standard, section 9.2.5'],
  'sse-cuts': ['chunks that may be split at any byte', 'HTML Standard, section 9.2.5'],
  'sse-retry': ['another retry time', 'HTML Standard, section 9.2.6'],
  'sse-event': ['events of an unknown type', 'HTML Standard, section 9.2.6'],
  'soap-prefix': ['other prefixes', 'Namespaces in XML 1.0, section 4'],
  'soap-default-namespace': ['a default namespace', 'Namespaces in XML 1.0, section 6.2'],
  'soap-cdata': ['CDATA sections', 'XML 1.0, section 2.7'],
  'soap-references': ['character references', 'XML 1.0, section 4.1'],
  'soap-space': ['white space between elements', 'XML 1.0, section 2.10'],
  'soap-quotes': ['single quotes around attributes', 'XML 1.0, section 2.3'],
  'soap-extra': ['unknown elements', 'document 3, section 9'],
  'soap-missing': ['missing elements that it does not need', 'document 3, section 9'],
}

/** These kinds affect only a few responses, so they are tested in separate scenarios. */
const particular: readonly VariationKind[] = ['json-null', 'json-enum', 'http-created', 'soap-missing']

export function kindsOf(format: string): VariationKind[] {
  const kinds = Object.keys(rules) as VariationKind[]
  return kinds.filter((kind) => kind.startsWith(`${format}-`) && !particular.includes(kind))
}

export interface VariedTask {
  document: DocumentName
  kinds: readonly VariationKind[]
  task: string
  play: (session: Session) => Promise<unknown>
  evaluate: Check['evaluate']
}

/** A kind that no response used, such as compression that the client does not accept, counts as not covered. */
export function varied({ document, kinds, task, play, evaluate }: VariedTask): Chapter {
  return kinds.map((kind) => {
    const [what, source] = rules[kind]
    return {
      name: `${document}-${kind}`,
      task,
      prepare: ({ world, seed }) => world.variation.set({ seed, kinds: [kind] }),
      play,
      checks: [
        {
          name: `${document}-takes-${kind}`,
          level: source === 'our choice' ? 'SHOULD' : 'MUST',
          source,
          rule: `A client accepts ${what}.`,
          advice: 'Read responses with a parser for the format, and use its result.',
          isDisplayed: (transcript) => {
            const calls = transcript.requests()
            // The scenario itself has no faults. If a profile injects one, the result says nothing about the variation.
            return calls.some(({ variation }) => variation?.includes(kind)) && !calls.some(({ faults }) => faults)
          },
          evaluate,
        },
      ],
    }
  })
}
