import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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
