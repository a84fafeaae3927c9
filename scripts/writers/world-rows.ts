import { type Member, readNames, readWorld } from './world-interface.ts'

export async function writeWorldRows(): Promise<string[]> {
  return readWorld(await readNames())
    .filter(({ name }) => !name.startsWith('['))
    .map((member) => {
      const calls = member.members?.map((each) => `\`${member.name}.${writeCall(each)}\``) ?? [
        `\`${writeCall(member)}\``,
      ]
      return `| ${calls.join(' ')} | ${member.about.replaceAll('|', '\\|')} |`
    })
}

function writeCall({ name, parameters }: Member): string {
  return parameters ? `${name}(${parameters.join(', ')})` : name
}
