import { type Commands, dispatch, isHelp, print, summarize } from '../dispatch.ts'
import { type CommandOutput, exitCodes } from '../input-output.ts'

export const caseCommands: Commands = {
  'from-har': {
    usage: 'from-har FILE --out CASE [--host HOST]',
    summary: 'Write a case of an HTTP Archive, which browsers, proxies and our journal save',
    example: 'from-har traffic.har --out traffic.jsonl --host support.vendor.example',
    options: async () => [
      '--out CASE           the case; never overwrites',
      '--host HOST[=LIST]   a host whose entries count, with the interfaces of the list; may be repeated',
      'Without --host those of this machine and of PUBLIC_URL count.',
    ],
    load: async () => (await import('./from-har.ts')).fromHar,
  },
}

export async function runCase(args: string[], output: CommandOutput): Promise<number> {
  const [first] = args
  if (first !== undefined && !isHelp(first)) {
    return dispatch({ program: 'vendor-cloud case', commands: caseCommands }, args, output)
  }
  const example = `Example: vendor-cloud case ${caseCommands['from-har']!.example}\n`
  print(
    output,
    `Cases of what others have recorded.\n\nUsage: vendor-cloud case COMMAND [options]\n\n${summarize(caseCommands)}\nEach takes --help.\n\n${example}`,
  )
  return first === undefined ? exitCodes.usage : exitCodes.ok
}
