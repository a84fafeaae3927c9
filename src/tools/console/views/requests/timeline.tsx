import { useLive, useWorldNow } from '#tools/console/live.ts'
import { count, toMillisecond, toneOf, toSpan, toTime } from '#tools/console/text.ts'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'
import { toDuration } from './request-list.tsx'

/** Maximum number of entries that are drawn. These are the newest in the list. */
const MOST = 300
/** Milliseconds on the clock of the world. A longer pause is replaced with a gap of fixed width. */
const PAUSE = 10_000
/** Percentages of the width: one gap, all gaps together, the shortest bar, and the space for a label on a phone. */
const [MARK, MARKS, SHORTEST, LABEL] = [2, 40, 0.5, 30]
/** Maximum number of lanes, and pixels: the height of a lane and the space above and below the lanes. */
const [LANES, LANE, TOP, BELOW] = [4, 11, 18, 6]

/** A bar is as long as its request took or its stream was open, on the world's clock. Newest entry first. */
export function Timeline({ entries, nameOf }: { entries: readonly Entry[]; nameOf(entry: Entry): string }) {
  const now = useWorldNow()
  const streams = useLive((live) => live.streams)
  const shown = entries.slice(0, MOST).toReversed()
  const axis = layOut(shown)
  const open = (each: Entry) => now !== undefined && streams.some(({ subscriptionId }) => isOf(each, subscriptionId))
  const ends: number[] = []
  const bars = shown.flatMap((entry, index) => {
    if (entry.kind === 'frame') return []
    const frames = isStream(entry)
      ? shown.filter((each, at) => at > index && isOf(entry, each.frame?.subscriptionId))
      : []
    const from = axis.at[index]!
    const last = frames.at(-1)
    const end = open(entry) ? 100 : last ? axis.at[shown.indexOf(last)]! : from + (entry.durationMs ?? 0) * axis.scale
    const to = Math.max(end, from + SHORTEST)
    const free = ends.findIndex((each) => each <= from)
    const lane = Math.min(free < 0 ? ends.length : free, LANES - 1)
    ends[lane] = Math.max(to, ends[lane] ?? 0)
    return [{ entry, frames, from, to: Math.min(to, 100), y: TOP + lane * LANE + LANE / 2 }]
  })
  const labeled: Axis['marks'][number][] = []
  for (const mark of axis.marks) {
    if (mark.x - (labeled.at(-1)?.x ?? -LABEL) >= LABEL) labeled.push(mark)
  }
  if (shown[0] && (labeled[0]?.x ?? LABEL) >= LABEL) labeled.unshift({ x: 1, text: toTime(shown[0].at) })
  const about = `${count(bars.length, 'request')}, ${count(bars.filter(({ frames }) => frames.length > 0).length, 'stream')}`
  if (entries.length === 0) return null
  return (
    <svg class="waterfall" height={TOP + LANES * LANE + BELOW} role="img" aria-label={`Timeline of ${about}`}>
      {axis.marks.map(({ x, text }) => (
        <line key={x} class="mark" x1={`${x}%`} x2={`${x}%`} y1={TOP - 2} y2="100%">
          <title>{text}</title>
        </line>
      ))}
      {labeled.map(({ x, text }) => (
        <text key={x} x={`${x}%`} y="13" text-anchor={x > 90 ? 'end' : x < 10 ? 'start' : 'middle'}>
          {text}
        </text>
      ))}
      {bars.map(({ entry, frames, from, to, y }) => (
        <g key={entry.id} class={frames.length > 0 ? 'calm' : toneOf(entry.status)}>
          <title>{`${nameOf(entry)}, ${entry.status ?? 'no response'}, ${toMillisecond(entry.at)}, ${toDuration(entry.durationMs)}`}</title>
          <line class="bar" x1={`${from}%`} x2={`${to}%`} y1={y} y2={y} />
          {frames.map((frame) => {
            const x = `${axis.at[shown.indexOf(frame)]}%`
            return <line key={frame.id} class="tick" x1={x} x2={x} y1={y - LANE / 2} y2={y + LANE / 2} />
          })}
        </g>
      ))}
    </svg>
  )
}

const isStream = ({ operation, status }: Entry) => operation === 'stream' && status === 200

function isOf({ path }: Entry, subscriptionId: string | undefined): boolean {
  return subscriptionId !== undefined && path?.includes(subscriptionId) === true
}

interface Axis {
  /** Start of each entry, as a percentage of the width. */
  at: readonly number[]
  /** Percentage of the width for each millisecond. */
  scale: number
  marks: readonly { x: number; text: string }[]
}

/** Entries are sorted by ID. A timestamp before the previous one means that the clock was set back. */
function layOut(entries: readonly Entry[]): Axis {
  const steps = entries.map((entry, i) => {
    const previous = entries[i - 1]
    const passed = previous ? Date.parse(entry.at) - Date.parse(previous.at) : 0
    const busy = previous && !isStream(previous) ? (previous.durationMs ?? 0) : 0
    const isMark = passed < -PAUSE || passed > Math.max(PAUSE, busy)
    return { passed: isMark ? 0 : Math.max(0, passed), text: isMark ? textOf(passed) : undefined }
  })
  const marked = steps.filter(({ text }) => text !== undefined).length
  const mark = Math.min(MARK, MARKS / marked)
  const tail = entries.at(-1)?.durationMs ?? 0
  const total = steps.reduce((sum, { passed }) => sum + passed, tail)
  const scale = (100 - marked * mark - SHORTEST) / Math.max(total, 1)
  const marks: { x: number; text: string }[] = []
  let x = 0
  const at = steps.map(({ passed, text }) => {
    if (text !== undefined) marks.push({ x: x + mark / 2, text })
    x += text === undefined ? passed * scale : mark
    return x
  })
  return { at, scale, marks }
}

function textOf(passed: number): string {
  return passed < 0 ? `${toSpan(-passed)} back` : `${toSpan(passed)} later`
}
