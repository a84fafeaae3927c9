/** Limits for the responses of a server. A working server does not exceed them. `patience` is in milliseconds. */
export const bounds = { patience: 30_000, bytes: 256 * 1024 * 1024 } as const

export interface ControlOptions {
  key?: string | undefined
  world?: string | undefined
  /** A function to use instead of the platform's `fetch`. */
  fetch?: typeof fetch | undefined
  /** Milliseconds within which the control API must respond. Default: no limit. */
  patience?: number | undefined
  /** Undefined in browsers. `saveCase` then throws an error. */
  writeFile?: ((file: string, text: string) => Promise<void>) | undefined
  /** Added to the error if there is no connection to the server. */
  hint?: string | undefined
  /** Notified when this client creates, deletes or records a world. */
  keeper?: WorldKeeper | undefined
}

export interface WorldKeeper {
  /** Seconds until a world expires if it was created without `expiresIn`. */
  readonly expiresIn: number
  made(name: string): Promise<void>
  deleted(name: string): void
  recorded(name: string, isOn: boolean): void
}
