import type { Examination } from '../control-client/types.ts'
import type { WorldClient } from '../control-client/world-client.ts'

/** Tools by their names, in the order in which they are listed. */
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

/** Cases made again, in a world of their own; handed in by whoever knows the server. */
export interface CaseTools {
  replay(text: string): Promise<object>
  /** The smaller case. */
  shrink(text: string, step?: number): Promise<string>
  /** A page or drawing of it, as `vendor-cloud show` writes it. */
  show(text: string, format: string, step?: number): Promise<string>
}

/** Files of the folder in which the tools run; only over stdio. */
export interface CaseFiles {
  read(file: string): Promise<string>
  /** Never overwrites. */
  write(file: string, text: string): Promise<void>
}

/** The report of an examination, as far as tools read it. */
export interface ExaminedClient extends Pick<Examination, 'seed' | 'grade'> {
  scenarios: { name: string; trouble?: string }[]
  checks: (Examination['checks'][number] & { source: string })[]
}

/** A client to be examined. */
export interface ExaminedCommand {
  command: string[]
  only?: string | undefined
  seed?: string | undefined
  timeout?: number | undefined
}

/** An examination of a client that is started here; only over stdio, where its owner allows it. */
export interface Examiner {
  list(only: string | undefined): Promise<string>
  run?(given: ExaminedCommand): Promise<ExaminedClient>
}

/** Ports of the tools, and what they may do. */
export interface McpContext {
  version: string
  /** The world of this name. */
  open(world: string): WorldClient
  /** Where a tool is called without `world`. */
  world: string
  readOnly?: boolean
  /** Those that are offered; all unless told. */
  tools?: readonly ToolName[] | undefined
  cases: CaseTools
  /** Characters of the longest case that is worked on or given; any unless told. */
  longestCase?: number
  files?: CaseFiles
  examiner: Examiner
}
