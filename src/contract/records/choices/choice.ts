import type { z } from 'zod'

/** A choice is one reading of what the documents leave open. */
export interface Choice {
  /** The heading is a part of openapi/README.md; the document is the silent one. */
  heading: string
  document: string
  /** Without numbers or names the choice concerns the whole document. */
  operations: readonly (number | string)[]
  silence: string
  choice: string
  why?: string
  /** Absent where the choice cannot be set; else it has a default. */
  value?: z.ZodDefault
}

/** The texts of choices are Markdown of a page; elsewhere a link is its words. */
export function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
}

type Row = Omit<Choice, 'heading' | 'document' | 'operations'> & Partial<Pick<Choice, 'document' | 'operations'>>

type Choices<Rows> = {
  readonly [Id in keyof Rows]: Rows[Id] & {
    heading: string
    document: string
    operations: readonly (number | string)[]
  }
}

/** The document of a row is that of its part unless told. */
export function defineChoices<const Rows extends Readonly<Record<string, Row>>>(
  heading: string,
  document: string,
  rows: Rows,
): Choices<Rows> {
  const whole = Object.entries(rows).map(([id, row]) => [id, { heading, document, operations: [], ...row }])
  return Object.fromEntries(whole) as Choices<Rows>
}
