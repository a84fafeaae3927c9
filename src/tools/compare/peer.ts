import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import type { CaseFrame } from '#contract/files/case.ts'
import type { ComparedReply } from './replies.ts'

export interface ComparedCall {
  step: number
  at: string
  call: HttpRequest
  reply: HttpResponse
}

export interface ComparedFrame {
  event: string
  id?: string | undefined
  data: unknown
}

export interface Peer {
  /** Such a call names a placeholder whose value is not known, so it cannot be made. */
  lacks(asked: ComparedCall): boolean
  ask(asked: ComparedCall): Promise<ComparedReply>
  /** Counts frames that came and were not taken yet. */
  countFrames(step: number): number
  /** Ends the stream; `recorded` holds the case's frames of it. */
  takeFrames(step: number, recorded: readonly CaseFrame[]): ComparedFrame[]
  close(): Promise<void>
}
