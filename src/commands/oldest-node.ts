/** The floor of package.json's `engines`. */
const OLDEST = [20, 19] as const

/** The fault of an older Node, and the line that mends it. */
export function judgeNode(version: string): { says: string; mend: string } | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = OLDEST
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined
  return { says: `${version} is older than ${OLDEST.join('.')}`, mend: 'npx -y -p node@24 vendor-cloud' }
}
