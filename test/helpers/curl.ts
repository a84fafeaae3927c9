import { parseArgs } from 'node:util'
import { parse } from 'shell-quote'
import { request } from 'undici'

const options = {
  request: { type: 'string', short: 'X' },
  header: { type: 'string', short: 'H', multiple: true, default: [] as string[] },
  data: { type: 'string', short: 'd' },
} as const

/** Throws if an option is unknown, because a test that ignores an option could pass wrongly. */
export async function runCurl(line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const [program, ...words] = parse(line, env)
  if (program !== 'curl') throw new Error(`no line of curl: ${line}`)
  const { values, positionals } = parseArgs({ args: words.map(String), options, allowPositionals: true })
  const type = values.data === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const headers = values.header.map((each) => /^(.*?): *(.*)$/.exec(each)!).map(([, name, value]) => [name!, value!])
  const reply = await request(positionals[0]!, {
    method: values.request ?? (values.data === undefined ? 'GET' : 'POST'),
    headers: { ...type, ...Object.fromEntries(headers.map(([name, value]) => [name!.toLowerCase(), value!])) },
    body: values.data ?? null,
  })
  return reply.body.text()
}
