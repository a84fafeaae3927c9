import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** Windows runs scripts with cmd.exe, which has `&&` in common with a POSIX shell. */
test.each(Object.entries(scripts))('the script %s starts programs without a POSIX shell', (_, script) => {
  const commands = script.split(' && ')
  expect(
    commands.filter((each) => !/^(?:node|npm|tsx|tsc|vitest|biome|oxlint|knip|redocly|clean-package) ?/.test(each)),
  ).toEqual([])
  expect(script.replaceAll(' && ', ' ')).not.toMatch(/[$'`;|<>&(){}\\~]/)
})
