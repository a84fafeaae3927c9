/** A development tool that comes without types: what we use of it. */
declare module 'strong-soap' {
  export const soap: {
    createClient(url: string, options: object, done: (error: unknown, client: unknown) => void): void
  }
}
