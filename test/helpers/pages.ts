import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

export const ROOT = join(import.meta.dirname, '../..')

export interface Block {
  language: string
  text: string
  /** Name of the file that it is, for languages that are run as files. */
  file?: string
  /** Why it cannot be run here. */
  notRun?: string
}

/** The pages for people, by their paths in the project. */
export const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

/** The fenced blocks of a page; the comment before one is `file: NAME` or `not run: REASON`. */
export function readBlocks(page: string): Block[] {
  const found = readPage(page).matchAll(/(?:<!-- (file|not run): (.*?) -->\n)?```(\w+)\n(.*?)```/gs)
  return [...found].map(([, kind, note, language, text]) => ({
    language: language!,
    text: text!,
    ...(kind === 'file' && { file: note! }),
    ...(kind === 'not run' && { notRun: note! }),
  }))
}

/** Pastes the shell blocks of a page, in order, into one shell; gives what was printed where the page says what is. */
export async function pasteBlocks(page: string, address: string) {
  const script = readBlocks(page)
    .filter(({ language, notRun, file }) => language === 'sh' && notRun === undefined && file === undefined)
    .map(({ text }) => text)
    .join('\n')
    .replaceAll('http://localhost:8080', address)
    // A person ends the stream with Ctrl-C; here the first event is enough.
    .replaceAll('curl -N "$URL"', `sed '/^event: DEVICE_EVENT/q' < <(curl -sN -m 60 "$URL" 2>/dev/null)`)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', withMarks(script)], {
    cwd: ROOT,
    env: { ...process.env, PORT: new URL(address).port },
    timeout: 220_000,
  })
  const outputs = stdout.split(/^mark \d+$/m)
  return expectedOf(script).map((expected, i) => ({ expected, output: outputs[i]! }))
}

/** What a block prints where its comments say so. */
export function expectedOf(text: string): string[] {
  return [...text.matchAll(/^(?:#|\/\/) → (.*)$/gm)].map(([, expected]) => expected!)
}

/** A line of its own where the page says what was printed, to tell the outputs apart. */
function withMarks(script: string): string {
  let count = 0
  return script.replace(/^# → .*$/gm, () => `printf '\\nmark ${++count}\\n'`)
}
