import { onTestFinished } from 'vitest'
import { startProcess } from './server-process.ts'

/** The process stops when the test has finished. */
export async function startServer(...options: Parameters<typeof startProcess>): Promise<string> {
  const server = await startProcess(...options)
  onTestFinished(() => void server.process.kill())
  return server.url
}
