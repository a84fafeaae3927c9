/** Long work gives way between its steps, so that no other request waits for it. */
export interface Turns {
  /** Nothing while the work has not held the event loop for long; to be awaited. */
  give(): Promise<void> | undefined
}
