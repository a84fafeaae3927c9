import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'

const root = join(import.meta.dirname, '../..')

/** The build's own settings apply, so that a script is measured as users get the server. */
export async function bundle(file: string): Promise<string> {
  const name = basename(file, '.ts')
  const outdir = join(root, 'node_modules/.cache/bench', name)
  const settings = await readSettings()
  // The bundled script may be a server itself, which has no use for esbuild.
  const { build, stop } = await import('esbuild')
  await build({
    ...settings,
    // Our own plugins are left out, since a bare server needs none of them.
    plugins: [ownFolders],
    external: [...(settings.external ?? []), 'autocannon', 'esbuild'],
    entryPoints: [file],
    outdir,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: root,
  })
  // Otherwise its process would run next to the measured ones.
  await stop()
  return join(outdir, `${name}.mjs`)
}

/** Files of several folders are bundled together, and each reads files of its own folder. */
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
