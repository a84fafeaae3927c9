import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

export const ROOT = join(import.meta.dirname, '../..')

export interface Block {
  language: string
  text: string
  /** File name, which is defined only if blocks in this language are run as files. */
  file?: string
  notRun?: string
}

export const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

export function readBlocks(page: string): Block[] {
  const found = readPage(page).matchAll(/(?:<!-- (file|not run): (.*?) -->\n)?```(\w+)\n(.*?)```/gs)
  return [...found].map(([, kind, note, language, text]) => ({
    language: language!,
    text: text!,
    ...(kind === 'file' && { file: note! }),
    ...(kind === 'not run' && { notRun: note! }),
  }))
}

/** Runs the blocks in order in a single shell, as a reader would. */
export async function pasteBlocks(page: string, address: string) {
  const script = readBlocks(page)
    .filter(({ language, notRun, file }) => language === 'sh' && notRun === undefined && file === undefined)
    .map(({ text }) => text)
    .join('\n')
    .replaceAll('http://localhost:8080', address)
    // A reader would end this command with Ctrl-C. In the test, the command ends after the first event, because the
    // stream would otherwise stay open.
    .replaceAll(
      'curl -N "$URL"',
      `exec 3< <(exec curl -sN -m 60 "$URL" 2>/dev/null); STREAM=$!; sed '/^event: DEVICE_EVENT/q' <&3; kill $STREAM`,
    )
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', withMarks(script)], {
    cwd: ROOT,
    env: { ...process.env, PORT: new URL(address).port },
    timeout: 220_000,
  })
  const outputs = stdout.split(/^mark \d+$/m)
  return expectedOf(script).map((expected, i) => ({ expected, output: outputs[i]! }))
}

export function expectedOf(text: string): string[] {
  return [...text.matchAll(/^(?:#|\/\/) → (.*)$/gm)].map(([, expected]) => expected!)
}

function withMarks(script: string): string {
  let count = 0
  return script.replace(/^# → .*$/gm, () => `printf '\\nmark ${++count}\\n'`)
}
