/** Data of a frame is JSON; only control events carry bare text. */
export function readFrameData(event: string, data: string): unknown {
  if (event === 'CONTROL_EVENT') return data
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
