import { onTestFinished } from 'vitest'
import { startProcess } from './server-process.ts'

export async function startServer(...options: Parameters<typeof startProcess>): Promise<string> {
  const server = await startProcess(...options)
  onTestFinished(() => void server.process.kill())
  return server.url
}
