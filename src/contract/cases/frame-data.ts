/** The data of a frame as a case holds it: JSON, but for control events, whose data is bare text. */
export function readFrameData(event: string, data: string): unknown {
  if (event === 'CONTROL_EVENT') return data
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
