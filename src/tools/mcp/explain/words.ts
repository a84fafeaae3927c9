/** A value in a sentence. */
export function sayValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length <= 80 ? text : `${text.slice(0, 80)}… (${text.length} characters)`
}
