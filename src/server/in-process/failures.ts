/** The error that `fetch` throws where there is no reply, or no whole one. */
export function failed(message: string, cause: Error): TypeError {
  return new TypeError(message, { cause })
}
