import { z } from 'zod'

/** A value of the world itself, such as the secret its capability addresses are derived from. */
export const setting = z.object({ name: z.string(), value: z.string() })

export const counter = z.object({ kind: z.string(), value: z.int().min(0) })
