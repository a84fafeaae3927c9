export function lockfileFindings(manifest: object, lockfile: { packages: Record<string, object> }): string[]
