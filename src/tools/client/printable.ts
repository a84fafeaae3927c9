/**
 * Characters that control a terminal or change the text direction: C0 except tab and line feed, DEL, C1, and
 * directional marks.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for these characters
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Untrusted text must not control the terminal. Characters are escaped as in JSON, such as `\u001b`, so that the value
 * of JSON text does not change.
 */
export function toPrintable(text: string): string {
  return text.replace(STEERING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Escapes line feeds too, so that the text cannot start another line. */
export function toLinePart(text: string): string {
  return toPrintable(text).replace(/[\n\t]/g, (sign) => (sign === '\n' ? '\\n' : '\\t'))
}
