import { XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm'

/** Validates with libxml2, which is independent of the server's parser. */
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
