import type { Metafile } from 'esbuild'

export function bundledPackages(metafiles: Metafile[]): string[]
export function billOfMaterials(root: string, bundled: string[]): { bill: string; licenses: string }
