/** `fetch` throws this error where a reply is missing or incomplete. */
export function failed(message: string, cause: Error): TypeError {
  return new TypeError(message, { cause })
}
