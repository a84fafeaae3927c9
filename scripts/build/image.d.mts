export function layOutImage(root: string, folder: string, processor?: string): void
