/** A server that works stays within these bounds. */
export const bounds = { patience: 30_000, bytes: 256 * 1024 * 1024 } as const

export interface ControlOptions {
  key?: string | undefined
  /** Default: the default world. */
  world?: string | undefined
  /** Takes the place of the platform's own. */
  fetch?: typeof fetch | undefined
  /** Milliseconds in which the control API must respond. Default: no limit. */
  patience?: number | undefined
  /** Absent in browsers, where `saveCase` then throws. */
  writeFile?: ((file: string, text: string) => Promise<void>) | undefined
  /** Notified of the worlds that this client creates. */
  keeper?: WorldKeeper | undefined
}

export interface WorldKeeper {
  /** Seconds that a world lives whose maker does not say how long. */
  readonly expiresIn: number
  made(name: string): Promise<void>
  deleted(name: string): void
  recorded(name: string, isOn: boolean): void
}
