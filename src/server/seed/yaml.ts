import { parseDocument } from 'yaml'

/**
 * Callers load this module on demand, because in a bundle, `import()` of the package returns only a default export.
 * Warnings count as errors, because a value with an unknown tag would be read as a string.
 */
export function readYaml(text: string): unknown {
  const document = parseDocument(text)
  const [wrong] = [...document.errors, ...document.warnings]
  if (wrong) throw wrong
  return document.toJS({ maxAliasCount: 0 })
}
