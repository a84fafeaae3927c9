import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'

const root = join(import.meta.dirname, '../..')

/** Uses the settings of the build, so that the measured code is bundled in the same way as the published server. */
export async function bundle(file: string): Promise<string> {
  const name = basename(file, '.ts')
  const outdir = join(root, 'node_modules/.cache/bench', name)
  const settings = await readSettings()
  // Imported only here, because a bundled script may itself be a server, which does not need esbuild.
  const { build, stop } = await import('esbuild')
  await build({
    ...settings,
    // Excludes the plugins of the build, because a bare server does not need them.
    plugins: [ownFolders],
    external: [...(settings.external ?? []), 'autocannon', 'esbuild'],
    entryPoints: [file],
    outdir,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: root,
  })
  // The esbuild process would otherwise continue to run during the measurement.
  await stop()
  return join(outdir, `${name}.mjs`)
}

/** Code from several folders is bundled into one file, but each module still reads files from its own folder. */
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
