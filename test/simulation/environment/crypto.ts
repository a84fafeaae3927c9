import { machine } from './machine.ts'

/** In the place of `node:crypto` for the program: its chance is the seed's. */
export * from 'node:crypto'

export const randomBytes = (length: number): Buffer => machine.bytes(length)

export function randomUUID(): string {
  return machine
    .bytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-4$3-$4-$5')
}
