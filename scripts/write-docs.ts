import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeSettings } from '../src/config.ts'

/** Puts the table of settings, as `src/config.ts` has them, into its page. */
const PAGE = join(import.meta.dirname, '../docs/configuration.md')

const rows = describeSettings().map(
  ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
)
const table = ['| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n')
writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(/^\| Variable .*?(?=\n\n|$(?!\n))\n?/ms, table))
