import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'

const root = join(import.meta.dirname, '../..')

/** A script of `bench` bundled as the server is for its users: by the build's own settings. Gives the bundle's path. */
export async function bundle(file: string): Promise<string> {
  const name = basename(file, '.ts')
  const outdir = join(root, 'node_modules/.cache/bench', name)
  const settings = await readSettings()
  // The bundled script may be a server itself, which has no use for esbuild.
  const { build, stop } = await import('esbuild')
  await build({
    ...settings,
    // Ours are left out: a bare server needs what our server has no use for.
    plugins: [ownFolders],
    external: [...(settings.external ?? []), 'autocannon', 'esbuild'],
    entryPoints: [file],
    outdir,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: root,
  })
  // Its process would live beside those that are measured.
  await stop()
  return join(outdir, `${name}.mjs`)
}

/** Files of several folders come into one bundle, and each reads what stands beside itself. */
const ownFolders: Plugin = {
  name: 'own-folders',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return { loader: 'ts', contents: text.replaceAll('import.meta.dirname', JSON.stringify(dirname(path))) }
    })
  },
}

async function readSettings(): Promise<BuildOptions> {
  const script = pathToFileURL(join(root, 'scripts/build/build.mjs')).href
  return ((await import(script)) as { serverBundle: BuildOptions }).serverBundle
}
