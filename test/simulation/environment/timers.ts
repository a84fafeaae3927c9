/** Replaces `node:timers/promises` in the program. */
export const setTimeout = (milliseconds: number, value?: unknown): Promise<unknown> =>
  new Promise((resolve) => globalThis.setTimeout(() => resolve(value), milliseconds))

export const setImmediate = (value?: unknown): Promise<unknown> =>
  new Promise((resolve) => globalThis.setImmediate(() => resolve(value)))
