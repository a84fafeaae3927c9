import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'

interface Parameter {
  name: string
  in: string
  required: boolean
  example?: unknown
  description?: string
  schema: { default?: unknown }
}
interface Media {
  example?: unknown
  examples?: Record<string, { value: string }>
  schema: object
}
export interface Operation {
  operationId: string
  'x-operation'?: number
  'x-example-needs'?: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}
export interface Description {
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { required?: string[] }> }
}

export function operationsOf({ paths }: Description) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

/**
 * Builds the request that "Try it out" sends. It contains the example of every parameter and body, and nothing else.
 */
export function toRequest(server: string, path: string, method: string, operation: Operation): InjectOptions {
  const given = (operation.parameters ?? []).filter(({ example }) => example !== undefined)
  const of = (place: string) => given.filter((parameter) => parameter.in === place)
  const url = of('path').reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
  const query = of('query').flatMap(({ name, example }) =>
    [example].flat().map((each): [string, string] => [name, String(each)]),
  )
  const headers = Object.fromEntries(of('header').map(({ name, example }) => [name, String(example)]))
  const request = { method: method.toUpperCase() as 'GET', url: `${server.replace(/\/$/, '')}${url}` }
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : ''
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {})
  if (type === 'multipart/form-data') return { ...request, url: request.url + search, ...imageForm(headers) }
  const payload = media?.example as object | undefined
  return { ...request, url: request.url + search, headers, ...(payload ? { payload } : {}) }
}

function imageForm(headers: Record<string, string>) {
  const image = readFileSync(join(import.meta.dirname, 'images/picture.png'))
  const head = '--b\r\ncontent-disposition: form-data; name="imageFile"; filename="a.png"\r\n\r\n'
  return {
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
    payload: Buffer.concat([Buffer.from(head), image, Buffer.from('\r\n--b--\r\n')]),
  }
}
