import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import { type RouteDescription, toOperation } from './operation.ts'
import { resources } from '#contract/records/resources.ts'
import { type Json, toSchema } from './schemas.ts'

export interface ApiDescription {
  title: string
  version: string
  description: string
  includes(route: RouteDescription): boolean
  headers?: z.ZodObject
  securitySchemes?: Readonly<Record<string, object>>
  tags?: readonly { name: string; description: string }[]
  /** Resources that are described although no operation refers to them. */
  components?: readonly z.ZodType[]
}

export function collectRoutes(app: FastifyInstance): RouteDescription[] {
  const routes: RouteDescription[] = []
  app.addHook('onRoute', ({ method, url, config = {} }) => {
    for (const each of [method].flat()) routes.push({ method: each, url, config })
  })
  return routes
}

export function describeApi(
  routes: readonly RouteDescription[],
  api: ApiDescription,
  replies: Readonly<Record<string, unknown>>,
): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  // HEAD is omitted because it is the same as GET without a body, and OPTIONS because only browsers use it.
  const described = routes.filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')
  const own = described
    .filter(api.includes)
    .sort((a, b) => Number(a.config.operation) - Number(b.config.operation) || 0)
  for (const route of own) {
    const operation = toOperation(route, api.headers, replies[String(route.config.operation)], components)
    const path = placeOf(toTemplate(route.url), paths, operation)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  for (const schema of api.components ?? []) toSchema(schema, components)
  addMentioned(paths, components)
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: api.version,
      description: api.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{{server}}', description: 'This server' }],
    security: Object.keys(api.securitySchemes ?? {}).map((name) => ({ [name]: [] })),
    tags: api.tags ?? [...new Set(own.map(({ config }) => config.describe!().tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: api.securitySchemes,
    },
  }
}

export function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** Descriptions may refer to a resource that no schema contains, and it may refer to more. */
function addMentioned(paths: Json, components: Json): void {
  const text = JSON.stringify([paths, components])
  const missing = Object.entries(resources).filter(
    ([name]) => !(name in components) && text.includes(`"#/components/schemas/${name}"`),
  )
  for (const [, schema] of missing) toSchema(schema, components)
  if (missing.length > 0) addMentioned(paths, components)
}

/** In OpenAPI, paths that differ only in parameter names are the same, so the second is merged into the first. */
function placeOf(path: string, paths: Readonly<Record<string, Json>>, operation: Json): string {
  const form = (each: string) => each.replace(/\{\w+\}/g, '{}')
  const twin = Object.keys(paths).find((known) => form(known) === form(path))
  if (!twin || twin === path) return path
  const [own, theirs] = [path, twin].map((each) => [...each.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  for (const parameter of operation['parameters'] as Json[]) {
    const at = parameter['in'] === 'path' ? own!.indexOf(parameter['name'] as string) : -1
    if (at >= 0) parameter['name'] = theirs![at]
  }
  return twin
}
