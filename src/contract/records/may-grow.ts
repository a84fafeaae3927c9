/** No document closes the values of such a field, so a later version may have others. */
export const mayGrow = { mayGrow: true } as const
