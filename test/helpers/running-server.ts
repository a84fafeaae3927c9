import { onTestFinished } from 'vitest'
import { startProcess } from './server-process.ts'

/** The program itself in a process of its own, on a free port; it is stopped when the test has finished. */
export async function startServer(...options: Parameters<typeof startProcess>): Promise<string> {
  const server = await startProcess(...options)
  onTestFinished(() => void server.process.kill())
  return server.url
}
