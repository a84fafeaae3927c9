export interface RawEvent {
  name: string
  data: string
  id?: string
}

/**
 * HTML Standard, section 9.2.6: pieces may end anywhere, and an event that is incomplete when the stream ends never
 * was, its id included.
 */
export function createEventParser(onRetry: (ms: number) => void): (piece: Uint8Array) => RawEvent[] {
  // A byte order mark at the beginning is dropped, and a character may come in pieces.
  const decoder = new TextDecoder()
  let rest = ''
  let isAfterCr = false
  let name = ''
  let data: string[] = []
  let id: string | undefined

  function take(line: string): RawEvent | undefined {
    if (line === '') {
      const event = { name: name || 'message', data: data.join('\n'), ...(id !== undefined && { id }) }
      const isEmpty = data.length === 0
      name = ''
      data = []
      id = undefined
      return isEmpty ? undefined : event
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    if (field === 'id' && !value.includes('\0')) id = value
    if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value))
    return undefined
  }

  return (piece) => {
    let text = decoder.decode(piece, { stream: true })
    if (text === '') return []
    // CR ends its line at once, so an LF at the start of the next piece ends none.
    if (isAfterCr && text.startsWith('\n')) text = text.slice(1)
    isAfterCr = text.endsWith('\r')
    const lines = (rest + text).split(/\r\n|\n|\r/)
    rest = lines.pop()!
    return lines.flatMap((line) => take(line) ?? [])
  }
}
