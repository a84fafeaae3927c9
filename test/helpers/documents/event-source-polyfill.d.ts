/** The package contains no types, so this file declares the part that tests use. */
declare module 'event-source-polyfill' {
  export class EventSourcePolyfill {
    constructor(url: string)
    readyState: number
    close(): void
    addEventListener(type: string, listener: (event: { data?: unknown }) => void): void
  }
}
