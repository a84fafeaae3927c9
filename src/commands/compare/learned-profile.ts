import type { ComparisonReport } from '../../contract/records/control/comparison.ts'
import { UNEXPLAINED } from '../../contract/records/control/comparison.ts'
import type { VendorProfile } from '../../contract/records/control/vendor-profile.ts'
import { toLinePart } from '../../tools/control-client/printable.ts'

/** Comments of the YAML tell what no choice explains. */
export function writeLearned(profile: VendorProfile, { differences }: ComparisonReport, file: string): string {
  if (/\.json$/i.test(file)) return `${JSON.stringify(profile, undefined, 2)}\n`
  const { profile: name, choices = {}, ...others } = profile
  const left = differences.filter(({ explanation }) => explanation === UNEXPLAINED)
  const values = Object.entries(choices).map(([id, value]) => `  ${id}: ${JSON.stringify(value)}\n`)
  // JSON of one line is valid YAML.
  const rest = Object.entries(others).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  const comments = left.map(({ operation, kind, place }) => `# ${toLinePart(`${operation} ${place} (${kind})`)}\n`)
  return [
    `profile: ${JSON.stringify(name)}\n`,
    values.length > 0 ? 'choices:\n' : 'choices: {}\n',
    ...values,
    ...rest,
    ...(comments.length > 0 ? ['# No choice explains:\n', ...comments] : []),
  ].join('')
}
