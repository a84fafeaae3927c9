/** `{generation}-{sequence}`, as each stream writes it under an event. */
export interface EventId {
  generation: number
  sequence: number
}

/** Where a shown id stands among the events; nowhere when no stream of ours can have sent it. */
export function placeOf(shown: EventId | 'unknown', generation: number, head: number): number | 'unknown' {
  const isOurs = shown !== 'unknown' && shown.generation < generation && shown.sequence <= head
  return isOurs ? shown.sequence : 'unknown'
}

/** The id that a client shows; an empty one counts as absent. */
export function readEventId(text = ''): EventId | 'unknown' | undefined {
  if (text === '') return undefined
  const [, generation, sequence] = /^(\d{1,15})-(\d{1,16})$/.exec(text) ?? []
  return generation && sequence ? { generation: Number(generation), sequence: Number(sequence) } : 'unknown'
}
