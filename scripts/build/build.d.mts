import type { BuildResult } from 'esbuild'

export function build(root: string, options?: { servedOnly?: boolean }): Promise<boolean>
export function compileConsole(root: string): Promise<BuildResult<{ write: false; metafile: true }>>
