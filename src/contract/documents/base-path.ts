/** Document 1 declares a base path and does not show whether it stands before its paths, so both forms are answered. */
export const BASE_PATH = '/support-api/stg'

export function withoutBasePath(path: string): string {
  return path.startsWith(`${BASE_PATH}/stg/us/`) ? path.slice(BASE_PATH.length) : path
}
