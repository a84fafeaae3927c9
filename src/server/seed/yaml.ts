import { parseDocument } from 'yaml'

/**
 * The calling code loads this module on demand, because in a bundle, `import()` of the package itself would return only
 * a default export. Warnings of the package count as errors. Otherwise, a value with an unknown tag would be read as a
 * string.
 */
export function readYaml(text: string): unknown {
  const document = parseDocument(text)
  const [wrong] = [...document.errors, ...document.warnings]
  if (wrong) throw wrong
  return document.toJS({ maxAliasCount: 0 })
}
