import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** A script of `bench` bundled as the server is for its users: by the build's own settings. Gives the bundle's path. */
export async function bundle(file: string): Promise<string> {
  const name = basename(file, '.ts')
  const outdir = join(root, 'node_modules/.cache/bench', name)
  const settings = await readSettings()
  // The bundled script may be a server itself, which has no use for esbuild.
  const { build, stop } = await import('esbuild')
  await build({
    ...settings,
    // A bare server needs what ours has no use for.
    plugins: [],
    external: [...(settings.external ?? []), 'autocannon', 'esbuild'],
    // What the server reads stands beside the sources.
    define: { 'import.meta.dirname': JSON.stringify(import.meta.dirname) },
    entryPoints: [file],
    outdir,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: root,
  })
  // Its process would live beside those that are measured.
  await stop()
  return join(outdir, `${name}.mjs`)
}

async function readSettings(): Promise<BuildOptions> {
  const script = pathToFileURL(join(root, 'scripts/build/build.mjs')).href
  return ((await import(script)) as { serverBundle: BuildOptions }).serverBundle
}
