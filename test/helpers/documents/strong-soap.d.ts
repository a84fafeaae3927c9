/** The package comes without types; only the used part is declared. */
declare module 'strong-soap' {
  export const soap: {
    createClient(url: string, options: object, done: (error: unknown, client: unknown) => void): void
  }
}
