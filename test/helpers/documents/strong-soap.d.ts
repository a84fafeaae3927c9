/** The package contains no types, so this file declares the part that tests use. */
declare module 'strong-soap' {
  export const soap: {
    createClient(url: string, options: object, done: (error: unknown, client: unknown) => void): void
  }
}
