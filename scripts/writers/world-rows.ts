import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const FILE = join(import.meta.dirname, '../../src/tools/client/world.ts')

/** A row a member of a world, in the order of its type: its calls, and what the type says of it. */
export function writeWorldRows(): string[] {
  const source = ts.createSourceFile(FILE, readFileSync(FILE, 'utf8'), ts.ScriptTarget.Latest, true)
  const world = source.statements.find(
    (each): each is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(each) && each.name.text === 'VendorCloudWorld',
  )
  return world!.members.filter(({ name }) => name && ts.isIdentifier(name)).map(writeRow)
}

function writeRow(member: ts.TypeElement): string {
  const name = member.name!.getText()
  const { type } = member as ts.PropertySignature
  const calls =
    type && ts.isTypeLiteralNode(type)
      ? type.members.map((each) => `\`${name}.${writeCall(each)}\``)
      : [`\`${writeCall(member)}\``]
  return `| ${calls.join(' ')} | ${readText(member)} |`
}

function writeCall(member: ts.TypeElement): string {
  const name = member.name!.getText()
  if (!ts.isMethodSignature(member)) return name
  const parameters = member.parameters.map((each) => each.name.getText() + (each.questionToken ? '?' : ''))
  return `${name}(${parameters.join(', ')})`
}

function readText(member: ts.TypeElement): string {
  const [comment] = ts.getJSDocCommentsAndTags(member)
  return ts.getTextOfJSDocComment(comment?.comment)?.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|') ?? ''
}
