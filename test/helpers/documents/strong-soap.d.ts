/** The package contains no types, so the part that is used is declared here. */
declare module 'strong-soap' {
  export const soap: {
    createClient(url: string, options: object, done: (error: unknown, client: unknown) => void): void
  }
}
