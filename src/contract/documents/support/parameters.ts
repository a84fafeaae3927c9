/** Meta data of a parameter that the interface has as optional and an answer needs all the same. */
export const demanded = { requiredBy: 'our choice: required-bodies', optionalInDocument: true } as const
