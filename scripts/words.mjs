// Fails if too many lines contain words that had a private meaning in this project (see CONTRIBUTING.md). `--list`
// prints each match. The limits are percentages of lines.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')

/** Maximum percentage of lines with such words, by kind of text. These numbers must not rise. */
const limits = { docs: 1, comments: 2, strings: 2, titles: 1, openapi: 1 }

const words = [
  'tells?|told|telling',
  'stands?|stood',
  'behind(?! (an? |the )?(reverse |load )?(proxy|proxies|balancer|nginx))',
  'beside|anew|whoever|nobody|somebody|anybody',
  'bends?|bent|mend(s|ed|ing)?|struck|strikes?',
  'ours|theirs|in the words of|lets? go|goes on|go on',
  '(is|are|was|were) no(?! (longer|more than|less|need))',
  'alone|so many|so long(?! as)',
  'judge[sd]?|drawn|falls? due|fell due|give[s]? way',
]
const privateWord = new RegExp(`\\b(${words.join('|')})\\b`, 'i')

const text = (file) => readFileSync(join(root, file), 'utf8')
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const title = /\b(?:test|describe)(?:\.\w+)*\(\s*(['"`])(.+?)\1,/g
const sentence = /(['"`])((?:(?!\1).)*\w\s+\w(?:(?!\1).)*\s\w(?:(?!\1).)*)\1/g

function* units(file) {
  const content = text(file)
  if (file.endsWith('.md')) {
    const prose = content.replace(/^ *```[\s\S]*?^ *```/gm, (code) => '\n'.repeat(code.split('\n').length - 1))
    for (const [index, line] of prose.split('\n').entries()) yield ['docs', index, line.replace(/`[^`]*`/g, '`x`')]
  } else if (/^openapi\/.*\.yaml$/.test(file)) {
    for (const [index, line] of content.split('\n').entries())
      if (/^\s*(summary|description): /.test(line)) yield ['openapi', index, line]
  } else if (/\.(ts|tsx|mjs)$/.test(file) && !file.endsWith('.d.ts')) {
    for (const [index, line] of content.split('\n').entries()) {
      const comment = /^\s*(?:\/\*\*?|\*|\/\/)\s?(.*)|.*\s\/\/ (.*)/.exec(line)
      if (comment) yield ['comments', index, comment[1] ?? comment[2]]
      else if (file.startsWith('test/')) for (const [, , found] of line.matchAll(title)) yield ['titles', index, found]
      else if (file.startsWith('src/'))
        for (const [, , found] of line.matchAll(sentence)) yield ['strings', index, found]
    }
  }
}

const counts = Object.fromEntries(Object.keys(limits).map((kind) => [kind, { lines: 0, hits: 0 }]))
for (const file of files) {
  for (const [kind, index, line] of units(file)) {
    if (line.trim().split(/\s+/).length < 3) continue
    const count = counts[kind]
    count.lines++
    if (!privateWord.test(line)) continue
    count.hits++
    if (process.argv.includes('--list')) process.stdout.write(`${kind}\t${file}:${index + 1}\t${line.trim()}\n`)
  }
}
for (const [kind, { lines, hits }] of Object.entries(counts)) {
  const share = (100 * hits) / lines
  const isOver = share > limits[kind]
  if (isOver) process.exitCode = 1
  process.stdout.write(
    `${kind}: ${hits} of ${lines} lines, ${share.toFixed(1)} % (limit ${limits[kind]} %)${isOver ? ': too many' : ''}\n`,
  )
}
