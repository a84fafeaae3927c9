import type { CheckAvailabilityReply } from 'vendor-cloud/types'
import { persist } from './retries.ts'
import { parseJson, Refusal, send, tryJson, type Wire } from './wire.ts'

export interface WalletOptions extends Wire {
  partnerCode: string
}

export interface WalletClient {
  check(modelName: string, countryCode?: string): Promise<CheckAvailabilityReply>
  /** Checks first whether the wallet is available. If it is not, nothing is added and the result is undefined. */
  add<T>(modelName: string, add: () => T | Promise<T>): Promise<T | undefined>
}

export function createWalletClient(options: WalletOptions): WalletClient {
  const headers = { partnerCode: options.partnerCode }

  function check(modelName: string, countryCode?: string): Promise<CheckAvailabilityReply> {
    const query = new URLSearchParams({ modelName, serviceType: 'WALLET', ...(countryCode && { countryCode }) })
    return persist(options, true, async () => {
      const reply = await send(options, `/wallet/cmn/v2.0/device/available?${query}`, { headers })
      if (reply.status === 200) return parseJson(reply.text) as CheckAvailabilityReply
      const { resultCode = 'Unknown', resultMessage = reply.text.slice(0, 200) } = (tryJson(reply.text) ??
        {}) as Partial<CheckAvailabilityReply>
      throw new Refusal(reply, [resultCode], `the wallet responded with ${reply.status} ${resultCode} ${resultMessage}`)
    })
  }

  return {
    check,
    add: async (modelName, add) => ((await check(modelName)).available ? await add() : undefined),
  }
}
