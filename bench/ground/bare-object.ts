/** The baseline: a bare Fastify sends the object, and logs by itself when told so. */
import fastify from 'fastify'

const app = fastify({ logger: process.argv[2] === 'logging' })
let object: unknown
app.put('/object', async ({ body }) => {
  object = body
})
app.get('/object', async () => object)
await app.listen({ port: 0, host: '127.0.0.1' })
