// jsdom and happy-dom define their own versions of web classes, which Node's `fetch` does not accept.

interface FileReaderOfPages {
  result: unknown
  addEventListener(event: 'load', listener: () => void): void
  readAsArrayBuffer(blob: Blob): void
}

type Body = NonNullable<RequestInit['body']>

/**
 * Converts a `Request` that is not an instance of the platform's own class to one that is. Returns any other value
 * unchanged.
 */
export function toOwnRequest(target: string | URL | Request): string | URL | Request {
  if (typeof target === 'string' || !('headers' in target) || target instanceof Request) return target
  const { url, method, headers, body, redirect, signal } = target as Request
  // The DOM types do not declare `duplex`. TypeScript does not reject unknown properties of an object in a variable.
  const given = { method, headers: [...headers], body, redirect, signal: toOwnSignal(signal), duplex: 'half' as const }
  return new Request(url, given)
}

export function toOwnSignal(given: AbortSignal): AbortSignal {
  if ((given as unknown) instanceof AbortSignal) return given
  const controller = new AbortController()
  const abort = () => controller.abort(given.reason)
  if (given.aborted) abort()
  else given.addEventListener('abort', abort, { once: true })
  return controller.signal
}

/**
 * Returns whether a body is a FormData, Blob or URLSearchParams object that is not an instance of the platform's own
 * class.
 */
export function isOfPage(body: unknown): body is Body {
  if (body === null || typeof body !== 'object' || !('getAll' in body || 'slice' in body)) return false
  return (
    ![FormData, URLSearchParams, Blob, ArrayBuffer].some((each) => body instanceof each) && !ArrayBuffer.isView(body)
  )
}

export async function toOwnBody(body: Body): Promise<Body> {
  const given = body as FormData | URLSearchParams | Blob
  if (!('getAll' in given)) return toOwnBlob(given)
  if ('sort' in given) return new URLSearchParams(String(given))
  const form = new FormData()
  for (const [name, value] of given as Iterable<[string, string | File]>) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, await toOwnBlob(value), value.name)
  }
  return form
}

async function toOwnBlob(blob: Blob): Promise<Blob> {
  const { FileReader } = globalThis as typeof globalThis & { FileReader: new () => FileReaderOfPages }
  const reader = new FileReader()
  await new Promise<void>((resolve) => {
    reader.addEventListener('load', () => resolve())
    reader.readAsArrayBuffer(blob)
  })
  return new Blob([new Uint8Array(reader.result as ArrayBuffer)], { type: blob.type })
}
