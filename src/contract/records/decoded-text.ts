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

/** Half of a pair of surrogates cannot be encoded. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))
}

/** A percent sign that encodes nothing leaves the text as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Gives nothing for text that is no JSON. */
export function findJson(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON may write a slash behind a backslash, as PHP does, and means the same without it. */
export function plainSlashes(text: string): string {
  return text.replace(/\\{1,15}\//g, '/')
}

/** `21.5`, `true` and `{"hue": 3}` are taken as JSON, anything else stays text. */
export function readJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Data of a frame is JSON; only control events carry bare text. */
export function readFrameData(event: string, data: string): unknown {
  return event === 'CONTROL_EVENT' ? data : readJsonOrText(data)
}
