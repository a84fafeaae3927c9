import { parseXml, type XmlElement } from '../../src/billing/xml.ts'

const simpleTypes: Record<string, RegExp> = {
  'xs:string': /^[\s\S]*$/,
  'xs:int': /^-?\d{1,10}$/,
  'xs:double': /^-?\d+(\.\d+)?$/,
}

/** What is wrong with an element by a schema of the kind we serve: sequences of elements, nothing else. */
export function findSchemaErrors(schemaText: string, elementText: string): string[] {
  const schema = parseXml(schemaText)
  const root = parseXml(elementText)
  const declaration = schema.elements.find((each) => each.name === 'element' && attributeOf(each, 'name') === root.name)
  if (!declaration) return [`${root.name} is not declared`]
  if (root.namespace !== attributeOf(schema, 'targetNamespace')) return [`${root.name} is in ${root.namespace}`]
  return check(schema, root, attributeOf(declaration, 'type'))
}

function check(schema: XmlElement, element: XmlElement, type: string): string[] {
  const simple = simpleTypes[type]
  if (simple) {
    const isText = element.elements.length === 0 && simple.test(element.text)
    return isText ? [] : [`${element.name} is no ${type}: ${element.text}`]
  }
  const complex = schema.elements.find(
    (each) => each.name === 'complexType' && `tns:${attributeOf(each, 'name')}` === type,
  )
  if (!complex) return [`the type ${type} is not declared`]
  const errors: string[] = []
  const left = [...element.elements]
  for (const declared of complex.elements.flatMap(({ elements }) => elements)) {
    const [next] = left
    const isNext = next?.name === attributeOf(declared, 'name') && next.namespace === ''
    if (isNext && next) errors.push(...check(schema, next, attributeOf(declared, 'type')))
    if (isNext) left.shift()
    else if (attributeOf(declared, 'minOccurs') !== '0') errors.push(`${attributeOf(declared, 'name')} is missing`)
  }
  return [...errors, ...left.map(({ name }) => `${name} does not belong here`)]
}

function attributeOf({ attributes }: XmlElement, name: string): string {
  return attributes.find((attribute) => attribute.name === name)?.value ?? ''
}
