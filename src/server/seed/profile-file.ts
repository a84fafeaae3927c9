import { UnusableState } from '../ports/failures.ts'
import { describeFailure } from '#contract/failures.ts'
import { explain, writePath } from '#contract/records/issues.ts'
import { didYouMean } from '#contract/records/nearest.ts'
import { readyMadeNames } from '#contract/records/control/ready-made.ts'
import { profileOrName, type VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { LARGEST_SMALL_FILE, readInputText } from './input-file.ts'

export async function readProfileFile(given: string): Promise<VendorProfile> {
  if ((readyMadeNames as readonly string[]).includes(given)) return profileOrName.parse(given)
  const text = await readInputText(given, LARGEST_SMALL_FILE).catch((error: Error) => {
    const nearest = /[./\\]/.test(given) ? '' : didYouMean(given, readyMadeNames)
    throw new UnusableState(`cannot read profile ${given}: ${describeFailure(error)}${nearest}`)
  })
  // Loaded on demand, because most servers have no profile, and the YAML parser would slow down their startup.
  const { readYaml } = await import('./yaml.ts')
  let value: unknown
  try {
    value = readYaml(text)
  } catch (error) {
    throw new UnusableState(`${given}: ${(error as Error).message}`)
  }
  if (typeof value !== 'object') throw new UnusableState(`${given}: must be {profile, choices, variation, faults}`)
  const read = explain(profileOrName, value)
  if (read.success) return read.data
  const issues = read.error.issues.map(
    ({ path, message }) => `${given}: ${writePath('', path) || 'the profile'} ${message}`,
  )
  throw new UnusableState(issues.join('\n'))
}
