import helmet from '@fastify/helmet'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { findNearest } from '#contract/records/nearest.ts'
import { notFound } from '#server/domain/errors.ts'
import { worldRoot } from './page.ts'

export interface StaticFiles {
  prefix: string
  names: Readonly<Record<string, readonly string[]>>
}

/** Serves only files that are listed, so that no name can refer to a file outside of the folders. */
export async function serveFiles(app: FastifyInstance, { prefix, names }: StaticFiles): Promise<void> {
  const folders = Object.keys(names)
  const describeNear = (file: string) => {
    const nearest = findNearest(file, Object.values(names).flat())
    return nearest === undefined ? '/llms.txt lists the pages' : `the nearest is ${prefix}${nearest}`
  }
  await app.register(files, { root: folders, prefix, serve: false, cacheControl: false })
  app.get<{ Params: { file: string } }>(`${prefix}:file`, async (request, reply) => {
    const { file } = request.params
    // Users may type the address with a trailing slash.
    if (file === '') return reply.redirect(worldRoot(request) + prefix.slice(0, -1), 308)
    const folder = folders.find((each) => names[each]!.includes(file))
    if (folder === undefined)
      throw notFound(`${prefix}${file} does not exist; ${describeNear(file)}`, 'our choice: first-page')
    return reply.header('cache-control', 'no-cache').sendFile(file, folder)
  })
}

/** Pages may load files and send requests only to their own server, and cannot be shown in a frame. */
export async function securePages(app: FastifyInstance, styleSources: readonly string[] = ["'self'"]): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: styleSources,
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // The pages may use plain HTTP, so only a proxy can decide to enforce HTTPS.
    strictTransportSecurity: false,
  })
}
