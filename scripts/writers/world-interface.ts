import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import * as z from 'zod'
import { controlOperations } from '../../src/contract/control/operations.ts'
import { noContent, type OperationContract } from '../../src/contract/operation.ts'

// The types of a world's functions are derived from the contract. For users and the documentation, these types are
// written out.

const CLIENT = join(import.meta.dirname, '../../src/tools/client')

export interface Member {
  name: string
  about: string
  /** Set if the member is a group, which has its own calls. */
  members?: readonly Member[]
  /** Undefined if the member is not a function. */
  parameters?: readonly string[]
  signature: string
}

/** Returns the name of a schema's exported type, or `name` if there is none. */
export type NameOf = (schema: z.ZodType, io: 'input' | 'output', name: string) => string

/** Returns the types of the contract that `types.ts` exports. */
export async function readNames(): Promise<NameOf> {
  const names = new Map<unknown, { input?: string; output?: string }>()
  for (const [, list = '', path = ''] of read('types.ts').matchAll(/^export type \{([^}]+)\} from '#(.+)'$/gm)) {
    const file = join(CLIENT, '../..', path)
    const schemas = (await import(file)) as Record<string, unknown>
    const source = readFileSync(file, 'utf8')
    for (const name of list.match(/\w+/g)!) {
      const [, io, schema = ''] = new RegExp(`type ${name} = .*\\bz\\.(\\w+)<typeof (\\w+)>`).exec(source) ?? []
      if (io) names.set(schemas[schema], { ...names.get(schemas[schema]), [io === 'input' ? io : 'output']: name })
    }
  }
  return (schema, io, name) => {
    const { [io]: own, output } = names.get(schema) ?? {}
    const { items, totalCount, ...others } = schema instanceof z.ZodObject ? schema.shape : {}
    if (own ?? output) return (own ?? output)!
    const item = totalCount && Object.keys(others).length === 0 ? names.get((items as z.ZodArray).element)?.output : ''
    return item ? `Page<${item}>` : name
  }
}

export function readWorld(nameOf: NameOf): Member[] {
  const world = parse('world.ts').statements.find(ts.isInterfaceDeclaration)!
  return [...readReturned('own-calls.ts', 'createOwnCalls', nameOf), ...world.members.map(readDeclared)]
}

/** Returns the code of the interface for the published types. */
export function writeInterface(members: readonly Member[], indent = '  '): string {
  return members
    .map(({ about, signature, name, members: own }) => {
      const comment = `${indent}/** ${about.replaceAll('*/', '*\\/')} */\n${indent}`
      return own
        ? `${comment}${name}: {\n${writeInterface(own, `${indent}  `)}${indent}}\n`
        : `${comment}${signature}\n`
    })
    .join('')
}

const read = (file: string) => readFileSync(join(CLIENT, file), 'utf8')

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
}

function readReturned(file: string, name: string, nameOf: NameOf): Member[] {
  const made = parse(file).statements.find(
    (each): each is ts.FunctionDeclaration => ts.isFunctionDeclaration(each) && each.name?.text === name,
  )
  const { expression } = made!.body!.statements.findLast(ts.isReturnStatement)!
  return readProperties(expression as ts.ObjectLiteralExpression, nameOf)
}

function readProperties({ properties }: ts.ObjectLiteralExpression, nameOf: NameOf): Member[] {
  return properties.flatMap((property) => {
    if (ts.isSpreadAssignment(property)) {
      return readReturned('calls.ts', (property.expression as ts.CallExpression).expression.getText(), nameOf)
    }
    const name = property.name!.getText()
    const about = readText(property)
    const value = ts.isPropertyAssignment(property) ? property.initializer : undefined
    if (value && ts.isObjectLiteralExpression(value)) {
      return [{ name, about, signature: '', members: readProperties(value, nameOf) }]
    }
    if (value && ts.isArrowFunction(value)) return [{ about, ...toMethod(name, value) }]
    if (value && ts.isCallExpression(value)) return [readOperation(name, about, value, nameOf)]
    const type = value && ts.isAsExpression(value) ? value.type.getText() : 'string'
    return [{ name, about, signature: `readonly ${name}: ${type}` }]
  })
}

function readDeclared(member: ts.TypeElement): Member {
  return { about: readText(member), ...toMethod(member.name!.getText(), member as ts.MethodSignature) }
}

/** A parameter that has a default value is optional. A destructured parameter is named `options`. */
function toMethod(name: string, { typeParameters, parameters, type }: ts.ArrowFunction | ts.MethodSignature) {
  const words = parameters.map((each) => {
    const own = ts.isIdentifier(each.name) ? each.name.text : 'options'
    return { name: own + (each.questionToken || each.initializer ? '?' : ''), type: each.type!.getText() }
  })
  const generic = typeParameters ? `<${typeParameters.map((each) => each.getText()).join(', ')}>` : ''
  const list = words.map((each) => `${each.name}: ${each.type}`).join(', ')
  return {
    name,
    parameters: words.map((each) => each.name),
    signature: `${name}${generic}(${list}): ${type!.getText()}`,
  }
}

/** Reads `does('x')`, `lists('x')`, `sends('x')` or `sendsField('x', 'field')` for an operation of the contract. */
function readOperation(name: string, about: string, call: ts.CallExpression, nameOf: NameOf): Member {
  const [operation = '', field] = call.arguments.map((each) => (each as ts.StringLiteral).text)
  const contract: OperationContract = controlOperations[operation as keyof typeof controlOperations]
  const params = contract.params instanceof z.ZodObject ? Object.entries<z.ZodType>(contract.params.shape) : []
  const words = params.map(([word, schema]) => [word, toType(schema)] as const)
  const title = operation[0]!.toUpperCase() + operation.slice(1)
  const kind = call.expression.getText()
  if (kind === 'lists') words.push(['paging?', 'Paging'])
  if (kind.startsWith('sends')) {
    const body = contract.body instanceof z.ZodOptional ? (contract.body.unwrap() as z.ZodType) : contract.body!
    const type = nameOf(body, 'input', `${title}Body`)
    const own = type[0]!.toLowerCase() + type.slice(1)
    if (field !== undefined) words.push([field, `${type}['${field}']`])
    else words.push([body === contract.body ? own : `${own}?`, type])
  }
  const reply = contract.reply === noContent ? 'void' : nameOf(contract.reply, 'output', `${title}Reply`)
  const list = words.map(([word, type]) => `${word}: ${type}`).join(', ')
  return {
    name,
    about: about || `${contract.summary}.`,
    parameters: words.map(([word]) => word!),
    signature: `${name}(${list}): Promise<${reply}>`,
  }
}

function toType(schema: z.ZodType): string {
  if (schema instanceof z.ZodEnum) return schema.options.map((each) => `'${each}'`).join(' | ')
  const { openapi } = (schema.meta() ?? {}) as { openapi?: { type?: string } }
  return openapi?.type === 'integer' ? 'number' : 'string'
}

function readText(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node)
  return ts.getTextOfJSDocComment(comment?.comment)?.replaceAll(/\s+/g, ' ') ?? ''
}
