import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** On Windows, scripts run in cmd.exe, which supports `&&` like a POSIX shell. */
test.each(Object.entries(scripts))(
  'the package script %s only starts known programs and does not need a POSIX shell',
  (_, script) => {
    const commands = script.split(' && ')
    expect(
      commands.filter((each) => !/^(?:node|npm|tsx|tsc|vitest|biome|oxlint|knip|redocly|clean-package) ?/.test(each)),
    ).toEqual([])
    expect(script.replaceAll(' && ', ' ')).not.toMatch(/[$'`;|<>&(){}\\~]/)
  },
)
