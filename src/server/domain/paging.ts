import type { ChoiceValues } from '#contract/records/control/choice-values.ts'

export type Filters<Name extends string> = { readonly [N in Name]?: string | undefined }

export const MAX_PAGE = 100

export interface OffsetPage<T> {
  items: T[]
  totalCount: number
  offset: number
  limit: number
  hasMore: boolean
}

export interface NumberedPage<T> {
  items: T[]
  totalCount: number
  pageNo: number
  size: number
  hasMore: boolean
}

/** `asked` can be out of range only with the choice `unusable-values: tolerate`. */
export function pageSizeOf(asked: number | undefined, choices: ChoiceValues): number {
  return Math.min(Math.max(asked ?? choices['page-size'], 1), choices['page-max'])
}

export function toOffsetPage<T>(items: T[], totalCount: number, offset: number, limit: number): OffsetPage<T> {
  return { items, totalCount, offset, limit, hasMore: offset + limit < totalCount }
}

export function toNumberedPage<T>(items: T[], totalCount: number, pageNo: number, size: number): NumberedPage<T> {
  return { items, totalCount, pageNo, size, hasMore: pageNo * size < totalCount }
}
