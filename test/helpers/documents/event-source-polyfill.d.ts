/** A development tool that comes without types: what we use of it. */
declare module 'event-source-polyfill' {
  export class EventSourcePolyfill {
    constructor(url: string)
    readyState: number
    close(): void
    addEventListener(type: string, listener: (event: { data?: unknown }) => void): void
  }
}
