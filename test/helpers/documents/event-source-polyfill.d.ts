/** The package contains no types, so the part that is used is declared here. */
declare module 'event-source-polyfill' {
  export class EventSourcePolyfill {
    constructor(url: string)
    readyState: number
    close(): void
    addEventListener(type: string, listener: (event: { data?: unknown }) => void): void
  }
}
