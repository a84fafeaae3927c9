/** Document 1's declared base path: whether it stands before the paths is not shown, so both answer. */
export const BASE_PATH = '/support-api/stg'

/** A path as document 1 lists it, whether it was sent with the base path or without. */
export function withoutBasePath(path: string): string {
  return path.startsWith(`${BASE_PATH}/stg/us/`) ? path.slice(BASE_PATH.length) : path
}
