import { parseDocument } from 'yaml'

/**
 * This module is loaded on demand, because in a bundle, `import()` of the package would return only a default export.
 * Warnings of the package count as errors, because the value of an unknown tag would be read as a string.
 */
export function readYaml(text: string): unknown {
  const document = parseDocument(text)
  const [wrong] = [...document.errors, ...document.warnings]
  if (wrong) throw wrong
  return document.toJS({ maxAliasCount: 0 })
}
