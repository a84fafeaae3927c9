/** Long work gives way between its steps, so that no other request waits for it. */
export interface Turns {
  /** Gives nothing to await while the work has not held the event loop for long. */
  give(): Promise<void> | undefined
}
