/**
 * The thread of the disk engine, as a function. When the simulator is bundled, the function is generated from the
 * source of the thread.
 */
declare module 'database-thread' {
  interface ThreadPort {
    on(
      kind: 'message',
      receive: (
        message: readonly (readonly [sql: string, ...values: (string | number | Uint8Array)[]])[] | undefined,
      ) => void,
    ): void
    postMessage(answer: unknown, transfer: []): void
    close(): void
  }
  export function start(parentPort: ThreadPort, workerData: string): void
}
