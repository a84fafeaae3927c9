// @ts-check

/**
 * Looks up the city of a US zip code. Repeats the request after a 503.
 *
 * @param {string} baseUrl
 * @param {string} zipCode
 * @returns {Promise<string>}
 */
export async function lookUpCity(baseUrl, zipCode, retries = 3) {
  const headers = { 'request-source': 'vendor.com' }
  const response = await fetch(`${baseUrl}/stg/us/guest/zipCode?zipCode=${encodeURIComponent(zipCode)}`, { headers })
  if (response.status === 503 && retries > 0) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get('retry-after') ?? 0)))
    return lookUpCity(baseUrl, zipCode, retries - 1)
  }
  // The body of an error may be HTML, for example from a proxy.
  if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`)
  const { city } = await response.json()
  return city
}
