/** Each stream writes `{generation}-{sequence}` under an event. */
export interface EventId {
  generation: number
  sequence: number
}

/** Gives nowhere for an id that no stream of ours can have sent. */
export function placeOf(shown: EventId | 'unknown', generation: number, head: number): number | 'unknown' {
  const isOurs = shown !== 'unknown' && shown.generation < generation && shown.sequence <= head
  return isOurs ? shown.sequence : 'unknown'
}

/** An empty id counts as absent. */
export function readEventId(text = ''): EventId | 'unknown' | undefined {
  if (text === '') return undefined
  const [, generation, sequence] = /^(\d{1,15})-(\d{1,16})$/.exec(text) ?? []
  return generation && sequence ? { generation: Number(generation), sequence: Number(sequence) } : 'unknown'
}
