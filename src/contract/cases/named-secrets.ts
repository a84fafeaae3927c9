import { decodeText } from '../records/decoded-text.ts'
import { soundsSecret } from '../records/secret-names.ts'

const named: readonly RegExp[] = [
  String.raw`(?<=^|[?&;#\s"'])(?<name>[\w.%~[\]-]{1,100})=(?<value>[^&#\s"'<>\\]+)`,
  String.raw`"(?<name>(?:[^"\\]|\\.){1,100})"\s*:\s*"(?<value>(?:[^"\\]|\\.)+)"`,
  String.raw`"(?<name>(?:[^"\\]|\\.){1,100})"\s*:\s*(?<value>\d{4,})`,
  String.raw`<(?:[\w.-]{1,100}:)?(?<name>[\w.-]{1,100})(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?>\s*(?<value>[^<>]*[^<>\s])`,
  String.raw`(?<![\w.:-])(?<name>[\w.:-]{1,100})\s?=\s?(["'])(?<value>[^"'<>]+)\k<2>`,
  String.raw`\bname=["'](?<name>[^"']{1,100})["'][^<>]{0,300}?\s(?:value|content)=["'](?<value>[^"']+)["']`,
  String.raw`\bname="?(?<name>[^"\r\n;]{1,100})"?[^\r\n]{0,300}\r\n(?:[^\r\n]{1,300}\r\n){0,5}\r\n(?<value>[^\r\n]+)`,
  String.raw`\bbearer\s+(?=[^\s"'<>,;&]*\d)(?<value>[^\s"'<>,;&\\]{8,})`,
  String.raw`\/\/[^\s\/:@"'<>]{1,100}:(?<value>[^\s\/@"'<>]{1,200})@`,
  String.raw`\b(?<value>eyJ[\w-]{8,4000}\.[\w-]{4,}\.[\w-]*)`,
].map((source) => new RegExp(source.replace('\\k<2>', '\\2'), 'gi'))

/** Document 3 calls the issued service token `output`. */
const ISSUES_TOKEN = /<(?:[\w.-]{1,100}:)?createServiceTokenResponse\b/
const OUTPUT = /<(?:[\w.-]{1,100}:)?output(?:\s[^<>]*)?>\s*(?<value>[^<>\s]+)/g

const NONE = /^(?:true|false|null|undefined|\*|\{\{token:\d+\}\})$/i

/** The spelling around a secret stays. */
export function mapNamed(text: string, change: (secret: string) => string): string {
  const patterns = ISSUES_TOKEN.test(text) ? [...named, OUTPUT] : named
  return patterns.reduce(
    (changed, pattern) =>
      changed.replace(pattern, (...found: unknown[]) => {
        const [whole, groups] = [String(found[0]), found.at(-1) as { name?: string; value: string }]
        const { name, value } = groups
        if (NONE.test(value) || (name !== undefined && !soundsSecret(decodeText(name)))) return whole
        const at = whole.lastIndexOf(value)
        return whole.slice(0, at) + change(value) + whole.slice(at + value.length)
      }),
    text,
  )
}

/** Only a header whose name tells of a secret is changed. */
export function mapHeader(name: string, value: string, change: (secret: string) => string): string {
  if (!soundsSecret(name)) return value
  if (name === 'cookie')
    return value.replace(/([^=;\s]+=|(?<=^|;\s*))([^;\s][^;]*)/g, (_, key, own) => key + change(own))
  if (name === 'set-cookie') return value.replace(/^([^=;]*=)?([^;]+)/, (_, key = '', own) => key + change(own))
  const [, scheme, own] = /^(\w[\w-]*\s+)(.*\S)\s*$/.exec(value) ?? []
  return scheme === undefined || own === undefined ? change(value) : scheme + change(own)
}
