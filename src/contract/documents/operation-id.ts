/** Derives a name from the path. For example, `GET /stg/us/contact/reason` becomes `getContactReason`. */
export function toOperationId(method: string, path: string): string {
  const words = path
    .replace(/^\/stg\/us/, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}
