import { ControlError } from '../../tools/control-client/errors.ts'

/** Sentences of the control API name calls and fields, while a person at a terminal has commands and options. */
const phrases: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\(force: true takes it\)/g, '(--force takes it)'],
  [
    /GET \/_control\/worlds lists them, POST makes one/g,
    'vendor-cloud list worlds lists them, create world NAME makes one',
  ],
  [/^devices has no record (\S+); .*$/, 'there is no device $1; vendor-cloud list devices lists them'],
  [/\bGET \/_control\/(faults|worlds)\b/g, 'vendor-cloud list $1'],
  [/\bPOST \/_control\/reset\b/g, 'vendor-cloud reset'],
  [/\bquery\.q\b/g, '--search'],
  [/\bquery\.traceId\b/g, '--trace'],
  [/\bquery\.(\w+)/g, '--$1'],
]

/**
 * The user sent no request, so `words` of the command, `VALUE` or `--unit`, replace the fields that they fill; `JSON`
 * stands for a whole body.
 */
export function toOwnWords(error: unknown, words: readonly string[]): unknown {
  if (!(error instanceof ControlError) || error.status < 400 || error.status >= 500) return error
  const { status, code, findings } = error
  let message = error.message
  for (const [pattern, replacement] of phrases) message = message.replace(pattern, replacement)
  message = message
    .replace(/\bbody\.(\w+)/g, (_, field: string) => words.find((each) => isFor(each, field)) ?? field)
    .replace(/(^|; )body (?=has |is |must )/g, '$1JSON ')
  return new ControlError(status, code, message, findings, error)
}

function isFor(word: string, field: string): boolean {
  return word.replace(/^--/, '').toLowerCase() === field
}
