import { machine } from './machine.ts'

/** Replaces `node:crypto` in the program. Random values are derived from the seed. */
export * from 'node:crypto'

export const randomBytes = (length: number): Buffer => machine.bytes(length)

export function randomUUID(): string {
  return machine
    .bytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-4$3-$4-$5')
}
