import type { Window } from './span.ts'

export interface Reply extends Window {
  status: number
  text: string
  /** Whether it ran is unknown. */
  isLost: boolean
}

export function codeOf({ text }: Reply): string {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? ''
}
