export function stampOf(root: string): string
export function isBuilt(root: string, options?: { servedOnly?: boolean }): boolean
