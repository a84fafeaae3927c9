import type { ControlOperation } from '../../contract/control/routes.ts'
import type { Answer, Wrong } from './answer-shapes.ts'

export interface ControlOptions {
  /** Key of the control API, where it needs one. */
  key?: string | undefined
  /** The default world without it. */
  world?: string | undefined
  /** In the place of the platform's. */
  fetch?: typeof fetch | undefined
  /** Milliseconds that the control API may take to answer; no bound without it. */
  patience?: number | undefined
  /** Judges what operations of the control API answer; without it any JSON is believed. */
  findWrong?: FindWrong | undefined
  /** Where there are files: how `saveCase` writes one. */
  writeFile?: ((file: string, text: string) => Promise<void>) | undefined
  /** Hears of the worlds that this client makes. */
  keeper?: WorldKeeper | undefined
}

export interface WorldKeeper {
  made(name: string): Promise<void>
  deleted(name: string): void
  recorded(name: string, isOn: boolean): void
}

/** The fault in an operation's answer. */
export type FindWrong = (name: ControlOperation, answer: Answer) => Promise<Wrong | undefined>
