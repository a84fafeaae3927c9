import { XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm'

/** libxml2 validates independently of our parser. */
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
