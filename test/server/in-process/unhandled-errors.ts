import process from 'node:process'
import { onTestFinished } from 'vitest'

export function noteUnhandled(): Error[] {
  const unhandled: Error[] = []
  const note = (error: Error) => void unhandled.push(error)
  process.on('uncaughtException', note).on('unhandledRejection', note)
  onTestFinished(() => void process.off('uncaughtException', note).off('unhandledRejection', note))
  return unhandled
}
