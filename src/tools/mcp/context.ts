import type { Examination } from '../client/types.ts'
import type { WorldClient } from '../client/world-client.ts'

/** The order in which tools are listed to agents. */
export const toolNames = [
  'world',
  'call',
  'explain',
  'journal',
  'verify',
  'inject_fault',
  'time',
  'trigger_event',
  'case',
  'examine',
] as const
export type ToolName = (typeof toolNames)[number]

/** Replays need a server, which tools may not import. The command line passes these functions. */
export interface CaseTools {
  replay(text: string): Promise<object>
  shrink(text: string, step?: number): Promise<string>
  show(text: string, format: string, step?: number): Promise<string>
}

/** Files in the folder in which the tools run. Available only over stdio. */
export interface CaseFiles {
  read(file: string): Promise<string>
  /** Writes a new file. Rejects if the file exists. */
  write(file: string, text: string): Promise<void>
}

export interface ExaminedClient extends Pick<Examination, 'seed' | 'grade'> {
  scenarios: { name: string; problem?: string }[]
  checks: (Examination['checks'][number] & { source: string })[]
}

/** `run` is available only over stdio, with `--allow-run`. */
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
  open(world: string, signal?: AbortSignal): WorldClient
  world: string
  /** Changes the default world. Default: the initial world. Undefined over HTTP, which has no sessions. */
  select?: (world?: string) => string
  readOnly?: boolean
  tools?: readonly ToolName[] | undefined
  cases: CaseTools
  /** Maximum length of a case in characters. Default: no limit. */
  longestCase?: number
  files?: CaseFiles
  examiner: Examiner
}
