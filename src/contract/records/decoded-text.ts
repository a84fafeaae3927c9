/** Text that cannot be decoded stays as it is. */
export function decodeText(text: string): string {
  if (!/[%+]/.test(text)) return text
  return text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes
    }
  })
}
