import * as z from 'zod'

export const anything = z.record(z.string(), z.unknown())
export const upTo = (most: number) => z.number().min(0).max(most)
export const count = upTo(1_000_000)
const toNumber = (value: unknown) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)
/** Upper limit of entry IDs in the control API. */
export const entryId = z.preprocess(toNumber, z.number().min(0).max(2_147_483_647))
export const operation = z.union([z.string().max(200), z.number()])
