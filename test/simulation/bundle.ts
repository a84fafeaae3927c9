import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as esbuild from 'esbuild'

const ROOT = join(import.meta.dirname, '../..')
const ROOM = import.meta.dirname

export interface Mutant {
  name: string
  hazard: string
  file: string
  find: string
  replace: string
}

interface Replacement {
  /** Patterns for the path of the imported module and the path of the file that imports it. */
  imported: RegExp
  by: RegExp
  with: string
}

/** Replaces the infrastructure of the program with simulated modules. */
const GROUND: readonly Replacement[] = [
  { imported: /\/postgres\/engine\.ts$/, by: /src\/server\/runtime\.ts$/, with: 'environment/postgres.ts' },
  { imported: /\/running-world\.ts$/, by: /src\/server\/worlds\//, with: 'environment/gates.ts' },
  { imported: /^@photostructure\/sqlite$/, by: /database-thread/, with: 'environment/disk.ts' },
  { imported: /^node:worker_threads$/, by: /src\/server\/adapters\/disk\//, with: 'environment/disk.ts' },
  {
    imported: /^node:fs\/promises$/,
    by: /src\/server\/adapters\/(?:disk\/|node\/folders)/,
    with: 'environment/file-system.ts',
  },
  { imported: /^node:crypto$/, by: /src\//, with: 'environment/crypto.ts' },
  { imported: /^node:timers\/promises$/, by: /src\//, with: 'environment/timers.ts' },
]

const THREAD = join(ROOT, 'src/server/adapters/disk/database-thread.mjs')

/** Converts the module of the thread to a function, so that the thread can be started again. */
function toFunction(text: string): string {
  const imports = /^import \{ parentPort.*\n/m
  const [head, body = ''] = text.split(/^(?=const database = )/m)
  return `${head!.replace(imports, '')}export function start(parentPort, workerData) {\n${body}}\n`
}

/**
 * Returns the code of a module that contains the simulator and the program. With a mutant, its `find` text must occur
 * exactly once in the program.
 */
export async function bundleSimulator(mutant?: Mutant): Promise<string> {
  const plugin: esbuild.Plugin = {
    name: 'simulated ground',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, importer }) => {
        if (path === 'database-thread') return { path: THREAD }
        if (!importer.startsWith(join(ROOT, 'src'))) return undefined
        const place = relative(ROOT, importer)
        const found = GROUND.find((each) => each.imported.test(path) && each.by.test(place))
        return found && { path: join(ROOM, found.with) }
      })
      onLoad({ filter: /\/src\/.*\.(ts|mjs)$/ }, ({ path }) => {
        const isMutated = mutant && join(ROOT, mutant.file) === path
        if (!isMutated && path !== THREAD) return undefined
        const text = readFileSync(path, 'utf8')
        const mutated = isMutated ? mutate(text, mutant) : text
        return { contents: path === THREAD ? toFunction(mutated) : mutated, loader: path === THREAD ? 'js' : 'ts' }
      })
    },
  }
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(ROOM, 'main.ts')],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [plugin],
    logLevel: 'warning',
  })
  return outputFiles[0]!.text
}

function mutate(text: string, { name, file, find, replace }: Mutant): string {
  const [before, after, ...more] = text.split(find)
  if (after === undefined || more.length > 0)
    throw new Error(`mutant ${name}: ${file} must hold its text once: ${find}`)
  return before + replace + after
}
