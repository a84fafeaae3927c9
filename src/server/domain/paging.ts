import type { ChoiceValues } from '#contract/records/control/choice-values.ts'

/** Every filter may be left out. */
export type Filters<Name extends string> = { readonly [N in Name]?: string | undefined }

/** A list has at most so many entries a page (our choice), also where it is not asked for in pages. */
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

/** Values out of range reach this function only where the world tolerates them. */
export function pageSizeOf(asked: number | undefined, choices: ChoiceValues): number {
  return Math.min(Math.max(asked ?? choices['page-size'], 1), choices['page-max'])
}

export function toOffsetPage<T>(items: T[], totalCount: number, offset: number, limit: number): OffsetPage<T> {
  return { items, totalCount, offset, limit, hasMore: offset + limit < totalCount }
}

export function toNumberedPage<T>(items: T[], totalCount: number, pageNo: number, size: number): NumberedPage<T> {
  return { items, totalCount, pageNo, size, hasMore: pageNo * size < totalCount }
}
