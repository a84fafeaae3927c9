/** For text and for attribute values. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\t\r\n]/g, (character) => `&#${character.charCodeAt(0)};`)
}
