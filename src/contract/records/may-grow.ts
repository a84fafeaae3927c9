/** Of a field whose values no document closes: a vendor's later version may have others. */
export const mayGrow = { mayGrow: true } as const
