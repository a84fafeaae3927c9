import { ControlError, toStranger, toUnreachable } from './errors.ts'

/** A server that works stays within these bounds. */
export const bounds = { patience: 30_000, bytes: 256 * 1024 * 1024 } as const

export interface Answer {
  status: number
  text: string
}

export interface Wrong {
  expected: string
  why?: string | undefined
}

export async function readBytes(origin: string, { body }: Response, most: number = bounds.bytes): Promise<Uint8Array> {
  const reader = body?.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      size += part.value.length
      if (size > most) throw toStranger(origin, `its answer is larger than ${most / 1024 / 1024} MB`)
      chunks.push(part.value)
    }
  } catch (error) {
    const isKnown = error instanceof ControlError || (error as Error).name === 'TimeoutError'
    throw isKnown ? toUnreachable(origin, error) : toStranger(origin, 'its answer was cut off', error)
  } finally {
    await reader?.cancel().catch(() => {})
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

export async function readAnswer(origin: string, reply: Response, most?: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(origin, reply, most))
}
