import type { z } from 'zod'

/** One reading of what the documents leave open. */
export interface Choice {
  /** The part of the page, and the document that is silent. */
  heading: string
  document: string
  /** Numbers or names of the operations that it is about; none: those of the whole document. */
  operations: readonly (number | string)[]
  silence: string
  choice: string
  why?: string
  /** The values that it takes, with the default; absent: it cannot be set. */
  value?: z.ZodDefault
}

type Row = Omit<Choice, 'heading' | 'document' | 'operations'> & Partial<Pick<Choice, 'document' | 'operations'>>

type Choices<Rows> = {
  readonly [Id in keyof Rows]: Rows[Id] & {
    heading: string
    document: string
    operations: readonly (number | string)[]
  }
}

/** Rows of one part of the page; the document of each is that of the part unless told. */
export function defineChoices<const Rows extends Readonly<Record<string, Row>>>(
  heading: string,
  document: string,
  rows: Rows,
): Choices<Rows> {
  const whole = Object.entries(rows).map(([id, row]) => [id, { heading, document, operations: [], ...row }])
  return Object.fromEntries(whole) as Choices<Rows>
}
