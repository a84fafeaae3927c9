import { oneOf, parseCommand } from './arguments.ts'
import { type CommandOutput, exitCodes } from './input-output.ts'
import type { Command, Commands } from './dispatch.ts'

interface Completed {
  name: string
  summary: string
  words: readonly string[]
}

type Write = (commands: readonly Completed[]) => string

const writers: Readonly<Record<string, Write>> = { bash: writeBash, zsh: writeZsh, fish: writeFish }

export const completionHelp = [
  'bash                 source <(vendor-cloud completion bash), in ~/.bashrc',
  'zsh                  source <(vendor-cloud completion zsh), in ~/.zshrc',
  'fish                 vendor-cloud completion fish | source, in config.fish',
]

export async function writeCompletion(args: string[], { stdout }: CommandOutput, commands: Commands): Promise<number> {
  const { words } = parseCommand(args, {}, ['SHELL'])
  const [shell = ''] = words
  const write = writers[oneOf(shell, Object.keys(writers))]!
  const completed = await Promise.all(
    Object.entries(commands).map(async ([name, command]) => ({
      name,
      summary: command.summary,
      words: [...new Set([...(await wordsOf(command)), '--help'])],
    })),
  )
  stdout.write(write([...completed, { name: 'help', summary: 'Tell about a command', words: [] }]))
  return exitCodes.ok
}

async function wordsOf({ options, commands }: Command): Promise<string[]> {
  const further = (await commands?.()) ?? {}
  const own = ((await options?.()) ?? []).flatMap((line) => /^--[a-z-]+/.exec(line) ?? [])
  return [...Object.keys(further), ...own, ...(await Promise.all(Object.values(further).map(wordsOf))).flat()]
}

function writeBash(commands: readonly Completed[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  const cases = commands.map(({ name, words }) => `    ${name}) words='${words.join(' ')}' ;;\n`).join('')
  return `_vendor_cloud() {
  local words='${names} --help --version'
  case "\${COMP_WORDS[1]}" in
${cases}  esac
  [ "$COMP_CWORD" -eq 1 ] && words='${names} --help --version'
  [ "$COMP_CWORD" -eq 2 ] && [ "\${COMP_WORDS[1]}" = help ] && words='${names}'
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _vendor_cloud vendor-cloud
`
}

function writeZsh(commands: readonly Completed[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${summary.replaceAll(/[':]/g, ' ')}'\n`).join('')
  const cases = commands.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')} ;;\n`).join('')
  return `_vendor_cloud() {
  local -a names
  names=(
${names}  )
  if (( CURRENT == 2 )); then _describe command names; return; fi
  case $words[2] in
${cases}  esac
  _files
}
compdef _vendor_cloud vendor-cloud
`
}

function writeFish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, summary, words }) => [
    `complete -c vendor-cloud -n __fish_use_subcommand -f -a ${name} -d '${summary.replaceAll("'", ' ')}'`,
    ...words.map((word) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
      return `complete -c vendor-cloud -n '__fish_seen_subcommand_from ${name}' ${what}`
    }),
  ])
  return `${lines.join('\n')}\n`
}
