import { parse } from 'yaml'

/** A bundle gives `import()` of the package only a default export, so this module is loaded late instead. */
export function readYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 0 })
}
