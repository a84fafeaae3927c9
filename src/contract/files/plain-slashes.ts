const SLASH = /\\{1,15}\//g

/** JSON may write a slash behind a backslash, as PHP does, and means the same without it. */
export function plainSlashes(text: string): string {
  return text.replace(SLASH, '/')
}
