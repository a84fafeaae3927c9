import { createHash } from 'node:crypto'
import { readConfig } from '#server/config.ts'
import { Redactor } from '#contract/redaction.ts'
import { startServer } from '#server/server.ts'
import type { CollectionName } from '#contract/records/collections.ts'

/** Collections that contain identities and secrets, in clear text or as digests. */
const known: readonly CollectionName[] = ['profiles', 'partners', 'sellers', 'companies']
const digested: readonly CollectionName[] = ['accessTokens', 'serviceTokens']

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** `shapes` contains the formats of values whose placeholders are already in the traffic. */
export async function openRedactor(shapes?: readonly string[]): Promise<Redactor> {
  const names = readConfig().REDACT.map(toLetters)
  const isSecretName = (name: string) => names.some((each) => toLetters(name).endsWith(each))
  return new Redactor({ sha256, isPublished: await openPublished(), isSecretName }, 'vendor', shapes)
}

const toLetters = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

async function openPublished(): Promise<(text: string) => boolean> {
  const server = await startServer(readConfig({ FIXTURES: 'default', PORT: '0' }), { listen: false })
  try {
    const read = async (name: CollectionName) => (await server.worlds.fixtures?.read(name, 0)) ?? []
    const texts = new Set<unknown>()
    for (const name of known) {
      for (const value of (await read(name)).flatMap((record) => Object.values(record))) {
        // A header contains only the second part of `profile:web-alice`.
        texts.add(value).add(String(value).replace(/^[a-z]+:/, ''))
      }
    }
    const digests = new Set<unknown>()
    for (const name of digested) for (const { tokenDigest } of await read(name)) digests.add(tokenDigest)
    return (text) => texts.has(text) || digests.has(sha256(text))
  } finally {
    await server.close()
  }
}
