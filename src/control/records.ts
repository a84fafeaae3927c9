import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { deleteRecord, listRecords, putRecord, requireRecord } from '../domain/control/records.ts'
import { compileInput } from '../http/input/input.ts'
import { readRawBody } from '../http/input/json-body.ts'
import { errorBody } from '../http/json-errors.ts'
import { limit, offset } from '../http/input/parameters.ts'
import { noContent } from '../http/zod.ts'
import type { ControlApp } from './context.ts'

const collection = z.string().meta({ description: 'Its plural noun', example: 'tickets' })
const record = z.record(z.string(), z.unknown()).meta({ description: "As the collection's schema says" })
const paging = z.object({ limit, offset })
const checkPaging = compileInput({ querystring: paging }, { parameters: 'our choice', body: 'our choice' })

export function records(app: ControlApp): void {
  const tags = ['Records']
  const params = z.object({ collection, key: z.string() })

  app.get('/_control/records/:collection', {
    config: { operation: 'listRecords', judgesInput: true },
    schema: {
      tags,
      summary: 'A page of a collection; the fields of its key and indexes filter it',
      params: params.pick({ collection: true }),
      querystring: paging,
      response: {
        200: z.object({ items: z.array(record), totalCount: z.int() }),
        400: errorBody,
        403: errorBody,
        404: errorBody,
      },
    },
    handler: async (request) => {
      const { filters, page } = readQuery(request as unknown as FastifyRequest)
      return listRecords(request.ports, request.params.collection, filters, page)
    },
  })

  app.get('/_control/records/:collection/:key', {
    config: { operation: 'getRecord' },
    schema: { tags, params, response: { 200: record, 403: errorBody, 404: errorBody } },
    handler: async ({ ports, params }) => requireRecord(ports, params.collection, params.key),
  })

  app.put('/_control/records/:collection/:key', {
    // Null and empty fields of a record mean something: they are judged by its own schema.
    config: { operation: 'putRecord', judgesInput: true },
    schema: {
      tags,
      summary: "Put a record, checked by its collection's schema",
      params,
      body: record,
      response: { 200: record, 400: errorBody, 403: errorBody, 404: errorBody, 409: errorBody },
    },
    handler: async (request) => {
      const body = readRawBody(request)
      return putRecord(request.ports, request.params.collection, request.params.key, body)
    },
  })

  app.delete('/_control/records/:collection/:key', {
    config: { operation: 'deleteRecord' },
    schema: { tags, params, response: { 204: noContent, 403: errorBody, 404: errorBody } },
    handler: async ({ ports, params }, reply) => {
      await deleteRecord(ports, params.collection, params.key)
      return reply.code(204).send(undefined)
    },
  })
}

/** Every parameter but the paging is a filter; an empty one counts as absent, a repeated one means any of them. */
function readQuery(request: FastifyRequest) {
  const { limit: _limit, offset: _offset, ...rest } = request.query as Record<string, string | string[]>
  checkPaging(request)
  const filters = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''))
  return { filters, page: request.query as z.output<typeof paging> }
}
