import type { Coverage } from '#contract/control/journal.ts'
import { clientOptions, withWorld } from './client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, oneOf, UsageError } from '../input-output.ts'

export const coverage = defineCommand({
  options: {
    min: { takes: 'PERCENT', about: 'Exit with code 1 if the coverage is less than this percentage', default: '0' },
    format: { takes: 'FORMAT', about: 'text, json or junit', default: 'text' },
    ...clientOptions,
  },
  example: 'coverage --min 80 --format junit',
  async run({ values }, { stdout, stderr }) {
    const min = readPercent(values.min)
    const write = formats[oneOf(values.format, Object.keys(formats))]!
    return withWorld(values, async (world) => {
      const found = await world.coverage()
      stdout.write((values.json ? writeJson : write)(found, min))
      if (found.percent >= min) return exitCodes.ok
      stderr.write(`${found.percent}% is less than ${min}%\n`)
      return exitCodes.findings
    })
  },
})

type Write = (found: Coverage, min: number) => string

const formats: Readonly<Record<string, Write>> = { text: writeText, json: writeJson, junit: writeJUnit }

function readPercent(given: string): number {
  const percent = Number(given)
  if (given.trim() !== '' && percent >= 0 && percent <= 100) return percent
  throw new UsageError(`--min ${given} is not a percentage. Use a number from 0 to 100`)
}

function writeJson(found: Coverage): string {
  return `${JSON.stringify(found, undefined, 2)}\n`
}

/** The totals come last, where users of a terminal see them first. */
function writeText({ percent, parts, ...all }: Coverage): string {
  const missing = parts.flatMap((part) => part.missing.map((what) => `${what}\n`))
  const sums = [...parts, { name: 'all', ...all }].map(
    ({ name, covered, total }) => `${name.padEnd(11)} ${String(covered).padStart(4)} of ${total}\n`,
  )
  return `${missing.join('')}${sums.join('')}${percent}% covered\n`
}

/** Only a missed minimum is a failure. Items that are not covered count as skipped. */
function writeJUnit({ percent, parts, covered, total }: Coverage, min: number): string {
  const suites = parts.map(({ name, seen, missing, ...part }) => {
    const cases = [
      ...seen.map((what) => `    <testcase classname="${name}" name="${escapeAttribute(what)}"/>\n`),
      ...missing.map(
        (what) => `    <testcase classname="${name}" name="${escapeAttribute(what)}"><skipped/></testcase>\n`,
      ),
    ]
    const counts = `tests="${part.total}" failures="0" skipped="${missing.length}"`
    return `  <testsuite name="${name}" ${counts}>\n${cases.join('')}  </testsuite>\n`
  })
  const failed = percent < min ? 1 : 0
  const why = `<failure message="${percent}% is less than ${min}%"/>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="coverage" tests="${total + 1}" failures="${failed}" skipped="${total - covered}">
  <testsuite name="threshold" tests="1" failures="${failed}" skipped="0">
    <testcase classname="threshold" name="at least ${min}% covered">${failed ? why : ''}</testcase>
  </testsuite>
${suites.join('')}</testsuites>
`
}

/** XML parsers would replace a line break in an attribute with a space. */
function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\t\r\n]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
