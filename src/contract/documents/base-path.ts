/** Document 1 does not specify whether its paths start with this base path. */
export const BASE_PATH = '/support-api/stg'

export function withoutBasePath(path: string): string {
  return path.startsWith(`${BASE_PATH}/stg/us/`) ? path.slice(BASE_PATH.length) : path
}
