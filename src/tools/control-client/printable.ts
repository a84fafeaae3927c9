/** C0 but tab and line feed, DEL, C1, and what turns the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * A text that may come from anywhere, for a terminal: what would steer it is written as JSON writes it, `\u001b`, so
 * that JSON stays the JSON it was.
 */
export function toPrintable(text: string): string {
  return text.replace(STEERING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The same where a line feed would begin another line than its own. */
export function toLinePart(text: string): string {
  return toPrintable(text).replace(/[\n\t]/g, (sign) => (sign === '\n' ? '\\n' : '\\t'))
}
