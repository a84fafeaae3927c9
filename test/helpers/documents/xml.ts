import { XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm'

/** What libxml2 finds wrong with a text of XML by itself, or by a schema. */
export function findXmlErrors(text: string, schema?: string): string[] {
  try {
    const document = XmlDocument.fromString(text)
    if (schema !== undefined) XsdValidator.fromDoc(XmlDocument.fromString(schema)).validate(document)
    return []
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error
    return error.details.map(({ message }) => message.trim())
  }
}
