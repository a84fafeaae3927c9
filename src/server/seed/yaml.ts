import { parse } from 'yaml'

/** A module of its own, to be loaded late: of the package itself a bundle gives `import()` a default export only. */
export function readYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 0 })
}
