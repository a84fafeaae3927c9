/** Maximum number of arguments in one function call, because arguments are passed on the stack. */
const CHUNK = 32_768

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return fromLatin1(atob(text))
}

export function toLatin1(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)))
  return parts.join('')
}

export function fromLatin1(letters: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(letters.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i)
  return bytes
}
