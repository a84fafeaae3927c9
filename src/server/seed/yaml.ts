import { parseDocument } from 'yaml'

/**
 * A bundle gives `import()` of the package only a default export, so this module is loaded late instead. A tag that
 * the package only warns of is an error here: its value would be taken for a text.
 */
export function readYaml(text: string): unknown {
  const document = parseDocument(text)
  const [wrong] = [...document.errors, ...document.warnings]
  if (wrong) throw wrong
  return document.toJS({ maxAliasCount: 0 })
}
