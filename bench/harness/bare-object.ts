/** The baseline: a bare Fastify that sends the object. It can log requests with Fastify's own logger. */
import fastify from 'fastify'

const app = fastify({ logger: process.argv[2] === 'logging' })
let object: unknown
app.put('/object', async ({ body }) => {
  object = body
})
app.get('/object', async () => object)
await app.listen({ port: 0, host: '127.0.0.1' })
