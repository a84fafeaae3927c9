interface Reply {
  headers: Readonly<Record<string, unknown>>
  payload: string
}

/** Returns the rules that an error response cites in its details or its header, without duplicates. */
export function citedRules({ headers, payload }: Reply): string[] {
  const cited = String(headers['x-vendor-cloud-rule'] ?? '').split('; ')
  const isJson = String(headers['content-type']).startsWith('application/json')
  const { error, errors } = (isJson && payload !== '' ? JSON.parse(payload) : {}) as {
    error?: { details?: { source?: string }[] }
    errors?: { source?: string }[]
  }
  const details = [...(error?.details ?? []), ...(errors ?? [])].map(({ source }) => source)
  return [...new Set([...cited, ...details])].filter((each) => each !== undefined && each !== '') as string[]
}
