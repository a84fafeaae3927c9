/** The package comes without types; only the used part is declared. */
declare module 'event-source-polyfill' {
  export class EventSourcePolyfill {
    constructor(url: string)
    readyState: number
    close(): void
    addEventListener(type: string, listener: (event: { data?: unknown }) => void): void
  }
}
