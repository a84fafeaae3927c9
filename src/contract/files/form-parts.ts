interface FormPart {
  name: string
  fileName?: string
  contentType?: string
  value: string
  at: number
}

export function readBoundary(contentType: string): string | undefined {
  const [, quoted, boundary = quoted] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  return boundary
}

/** Returns undefined if the body does not match its content type. See RFC 7578. */
export function readFormParts(body: string, contentType: string): FormPart[] | undefined {
  const boundary = readBoundary(contentType)
  if (boundary === undefined || !/^multipart\/form-data/i.test(contentType)) return undefined
  const delimiter = `--${boundary}`
  const parts: FormPart[] = []
  let at = body.indexOf(delimiter)
  while (at >= 0 && !body.startsWith('--', at + delimiter.length)) {
    const start = at + delimiter.length
    const end = body.indexOf(`\n${delimiter}`, start)
    const [head] = /^[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n/.exec(body.slice(start, end)) ?? []
    if (end < 0 || head === undefined) return undefined
    const value = body.slice(start + head.length, end).replace(/\r$/, '')
    const [, name = ''] = /\bname="?([^"\r\n;]*)/i.exec(head) ?? []
    const [, fileName] = /\bfilename="?([^"\r\n;]*)/i.exec(head) ?? []
    const [, type] = /^content-type:\s*([^\r\n]*)/im.exec(head) ?? []
    parts.push({
      name,
      ...(fileName !== undefined && { fileName }),
      ...(type !== undefined && { contentType: type }),
      value,
      at: start + head.length,
    })
    at = end + 1
  }
  return at < 0 ? undefined : parts
}
