/** This version must equal the minimum version in `engines` of package.json. */
const OLDEST = [20, 19] as const

export function checkNodeVersion(version: string): { says: string; fix: string } | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = OLDEST
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined
  return { says: `${version} is older than ${OLDEST.join('.')}`, fix: 'npx -y -p node@24 vendor-cloud' }
}
