import { setTimeout as wait } from 'node:timers/promises'
import type { TestClient } from './clients.ts'

/** Asks for a model, and for another when that one is available; `flaw` is the one check that it fails. */
export const walletClient: TestClient = async (environment, signal, flaw) => {
  const { VENDOR_CLOUD_URL: url = '', VENDOR_CLOUD_PARTNER_CODE: partnerCode = '' } = environment
  const has = (name: string) => flaw === name
  const headers = { partnerCode }
  const path = `${url}/wallet/cmn/v2.0/device/available`

  async function isAvailable(modelName: string): Promise<boolean> {
    for (;;) {
      const query = new URLSearchParams({ modelName, serviceType: 'WALLET' })
      const reply = await fetch(`${path}?${query}`, { headers, signal })
      const text = await reply.text()
      if (has('wallet-takes-http-chunked') && !reply.headers.has('content-length')) throw new Error('of what length?')
      if (reply.status === 200) return read(text)
      if (reply.status === 400 && !has('takes-result-codes')) return false
      if (has('asks-again-after-500')) return false
      await wait(100, undefined, { signal })
    }
  }

  function read(text: string): boolean {
    const kind = flaw?.replace('wallet-takes-', '')
    if (kind === 'json-order' && !text.startsWith('{"resultCode"')) throw new Error('order')
    if (kind === 'json-extra' && text.includes('"further')) throw new Error('unknown field')
    if (kind === 'json-space' && !text.includes('"available":true')) throw new Error('white space')
    if (kind === 'json-escape' && text.includes('\\')) throw new Error('backslash')
    return (JSON.parse(text) as { available: boolean }).available
  }

  if (has('sends-partner-code')) await fetch(`${path}?modelName=VM-S100&serviceType=WALLET`, { signal })
  if (has('asks-for-wallet')) await fetch(`${path}?modelName=VM-S100`, { headers, signal })
  if (has('names-a-model')) await fetch(`${path}?serviceType=WALLET`, { headers, signal })
  if (has('asks-the-versioned-path')) await fetch(`${url}/wallet/cmn/device/available`, { headers, signal })
  if (await isAvailable('VM-S100')) await isAvailable('VM-S200')
}
