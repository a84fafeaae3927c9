import type { Window } from './span.ts'

export interface Reply extends Window {
  status: number
  text: string
  /** If true, it is unknown whether the operation was executed. */
  isLost: boolean
}

export function codeOf({ text }: Reply): string {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? ''
}
