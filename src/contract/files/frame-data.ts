import { readJsonOrText } from '../records/decoded-text.ts'

/** Data of a frame is JSON; only control events carry bare text. */
export function readFrameData(event: string, data: string): unknown {
  return event === 'CONTROL_EVENT' ? data : readJsonOrText(data)
}
