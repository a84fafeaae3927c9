/** Decodes percent-encoding and plus signs. Invalid escapes remain unchanged. */
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

export function encodePercent(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))
}

/** If the text contains invalid escapes, it is returned unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function findJson(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Removes the optional backslash that PHP writes before slashes in JSON. */
export function plainSlashes(text: string): string {
  return text.replace(/\\{1,15}\//g, '/')
}

/** Parses JSON such as `21.5`, `true` and `{"hue": 3}`. Any other text is returned unchanged. */
export function readJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The data of events is JSON, except for control events. */
export function readFrameData(event: string, data: string): unknown {
  return event === 'CONTROL_EVENT' ? data : readJsonOrText(data)
}
