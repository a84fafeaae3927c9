import type { Examination } from '../client/types.ts'
import type { WorldClient } from '../client/world-client.ts'

/** Tools are listed to agents in this order. */
export const toolNames = [
  'world',
  'call',
  'explain',
  'journal',
  'verify',
  'disturb',
  'time',
  'happen',
  'case',
  'examine',
] as const
export type ToolName = (typeof toolNames)[number]

/** The tools know no server, so whoever knows one hands over how cases are made again in a world of their own. */
export interface CaseTools {
  replay(text: string): Promise<object>
  shrink(text: string, step?: number): Promise<string>
  show(text: string, format: string, step?: number): Promise<string>
}

/** Only stdio has files, and only of the folder in which the tools run. */
export interface CaseFiles {
  read(file: string): Promise<string>
  /** Never overwrites. */
  write(file: string, text: string): Promise<void>
}

export interface ExaminedClient extends Pick<Examination, 'seed' | 'grade'> {
  scenarios: { name: string; trouble?: string }[]
  checks: (Examination['checks'][number] & { source: string })[]
}

/** Starting a client is possible over stdio alone, and only where its owner allows it. */
export interface Examiner {
  list(only: string | undefined): Promise<string>
  run?(given: {
    command: string[]
    only?: string | undefined
    seed?: string | undefined
    timeout?: number | undefined
  }): Promise<ExaminedClient>
}

export interface McpContext {
  version: string
  /** Calls are aborted with `signal`. */
  open(world: string, signal?: AbortSignal): WorldClient
  /** The world of a call that names none. */
  world: string
  /** Without a name it selects the world of the start. Over HTTP nothing is kept between two requests. */
  select?: (world?: string) => void
  readOnly?: boolean
  /** All tools are offered unless some are named. */
  tools?: readonly ToolName[] | undefined
  cases: CaseTools
  /** Longer cases are refused where others wait for the same process. */
  longestCase?: number
  files?: CaseFiles
  examiner: Examiner
}
