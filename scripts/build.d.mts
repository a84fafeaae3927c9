import type { BuildOptions, BuildResult } from 'esbuild'

export function build(root: string): Promise<boolean>
export function compileConsole(
  root: string,
  outdir?: string,
  options?: BuildOptions,
): Promise<BuildResult<{ write: false; metafile: true }>>
export function copyConsole(root: string, outdir?: string): void
