/** The interface declares such a parameter as optional, and an answer still needs it. */
export const demanded = { requiredBy: 'our choice: required-bodies', optionalInDocument: true } as const
