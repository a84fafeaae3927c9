/** A server that works stays within these bounds. */
export const bounds = { patience: 30_000, bytes: 256 * 1024 * 1024 } as const

export interface ControlOptions {
  key?: string | undefined
  /** The default world unless told. */
  world?: string | undefined
  /** Takes the place of the platform's own. */
  fetch?: typeof fetch | undefined
  /** The control API must answer within so many milliseconds; absent, nothing is bounded. */
  patience?: number | undefined
  /** Absent in browsers, where `saveCase` then throws. */
  writeFile?: ((file: string, text: string) => Promise<void>) | undefined
  /** Hears of the worlds that this client makes. */
  keeper?: WorldKeeper | undefined
}

export interface WorldKeeper {
  /** Seconds that a world lives whose maker does not say how long. */
  readonly expiresIn: number
  made(name: string): Promise<void>
  deleted(name: string): void
  recorded(name: string, isOn: boolean): void
}
