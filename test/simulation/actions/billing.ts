import { type Act, type ActContext, addTo, ask, assertJustified, unexpected } from './act.ts'
import type { Asked } from '../environment/exchange.ts'
import { SELLERS } from '../environment/small-world.ts'
import { Span, violated } from '../checks/span.ts'
import type { Purchase, WorldModel } from '../checks/world-model.ts'

const soap = (operation: string, inputs: Record<string, string>): Asked => {
  const fields = Object.entries(inputs).map(([name, value]) => `<${name}>${value}</${name}>`)
  const body = `<ws:${operation} xmlns:ws="http://ws.iap.vendor.com/">${fields.join('')}</ws:${operation}>`
  const payload = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${body}</e:Body></e:Envelope>`
  return { method: 'POST', url: '/iap/ws/RTCService', headers: { 'content-type': 'text/xml; charset=utf-8' }, payload }
}

async function createServiceToken(context: ActContext): Promise<void> {
  const seller = context.chance.of(SELLERS)
  const request = soap('createServiceToken', { secret: seller })
  await ask(context, request, {
    judge: (reply, model) => {
      const [, token] = /<output>(\w{96})<\/output>/.exec(reply.text) ?? []
      if (!token) return unexpected(request, reply)
      model.serviceTokens.push({ token, seller, span: new Span(reply, reply.ret) })
      return true
    },
  })
}

async function sell(context: ActContext): Promise<void> {
  const { chance, run } = context
  const purchaseID = `buy-${chance.once(6) ? 1 : run.newValue()}`
  const seller = chance.of(SELLERS)
  const terms = { itemID: 'item', period: 'P1M', price: 4.99, currency: 'USD', country: 'USA' }
  const request: Asked = {
    method: 'POST',
    url: '/_control/purchases',
    payload: { ...terms, purchaseID, sellerSecret: seller },
  }
  const window = { call: run.tick() }
  const purchase: Purchase = { purchaseID, seller, span: new Span(window), active: new Span(window) }
  await ask(context, request, {
    adds: addTo(({ purchases }) => purchases, purchase),
    judge: (reply, model) => {
      const same = model.purchases.filter(
        (each) => each !== purchase && each.purchaseID === purchaseID && each.span.wasPossible(reply),
      )
      if (reply.status === 409) return assertJustified(same.length > 0, request, reply)
      if (reply.status !== 200) return unexpected(request, reply)
      if (same.some(({ span }) => span.wasSure(reply))) violated('2 sold once', purchaseID)
      purchase.span.isFrom = purchase.active.isFrom = reply.ret
      return true
    },
  })
}

async function cancelPurchase(context: ActContext): Promise<void> {
  const { purchases } = context.world.model
  if (purchases.length === 0) return
  const { purchaseID } = context.chance.of(purchases)
  const request: Asked = { method: 'POST', url: `/_control/purchases/${purchaseID}/cancel`, payload: { reason: '1' } }
  const of = (model: WorldModel) => model.purchases.filter((each) => each.purchaseID === purchaseID)
  await ask(context, request, {
    ends: (model) => of(model).map(({ active }) => active),
    judge: (reply, model) => {
      const known = of(model)
      if (reply.status === 404) return assertJustified(!known.some(({ span }) => span.wasSure(reply)), request, reply)
      if (reply.status === 409)
        return assertJustified(!known.some(({ active }) => active.wasSure(reply)), request, reply)
      if (reply.status !== 200) return unexpected(request, reply)
      if (!known.some(({ active }) => active.wasPossible(reply))) violated('2 cancelled once', purchaseID)
      return true
    },
  })
}

/** Document 3: for a purchase of another seller, the response is the same as for a purchase that does not exist. */
async function askStatus(context: ActContext): Promise<void> {
  const { chance, run, world } = context
  const { purchases, serviceTokens } = world.model
  if (serviceTokens.length === 0) return
  const { token, seller } = chance.of(serviceTokens)
  const purchaseID = purchases.length > 0 && !chance.once(6) ? chance.of(purchases).purchaseID : 'unknown'
  const request = soap('getSubscriptionStatus', { purchaseID, serviceToken: token })
  await ask(context, request, {
    judge: (reply, model) => {
      const all = model.purchases.filter((each) => each.purchaseID === purchaseID && each.span.wasPossible(reply))
      const own = all.filter((each) => each.seller === seller)
      const holder = model.serviceTokens.find((each) => each.token === token)
      if (reply.text.includes('INVALID_SECRET'))
        return assertJustified(holder?.span.wasSure(reply) !== true, request, reply)
      if (reply.text.includes('INVALID_PARAMETER_VALUE')) {
        if (own.length === 0) run.checkUnknown('purchase', reply)
        return assertJustified(all.length !== 1 || own[0]?.span.wasSure(reply) !== true, request, reply)
      }
      const [, status] = /<subscriptionStatus>(\w+)</.exec(reply.text) ?? []
      if (status === undefined) return assertJustified(/EXPIRED/.test(reply.text) && model.ahead > 0, request, reply)
      if (own.length === 0) violated('10 foreign is unknown', `purchase ${purchaseID} of another seller`)
      const isActive = status === 'ACTIVE'
      const isWrong = isActive
        ? !model.wasSetBack && !own.some(({ active }) => active.wasPossible(reply))
        : own.every(({ active }) => active.wasSure(reply))
      if (isWrong) violated('1 acknowledged is kept', `purchase ${purchaseID} is ${status}`)
      return false
    },
  })
}

/** Checking a card does not depend on any state, so the response is always the same. */
async function checkCard(context: ActContext): Promise<void> {
  const card = { barcode: { serialType: 'QRCODE', ptFormat: 'QRCODE', value: 'abc' } }
  const request: Asked = { method: 'POST', url: '/_control/wallet/check', payload: { card } }
  await ask(context, request, {
    judge: (reply) => {
      context.run.checkUnknown('check of a card', reply)
      return false
    },
  })
}

export const billingActs: readonly Act[] = [
  { name: 'create a service token', weight: 2, run: createServiceToken },
  { name: 'sell', weight: 3, run: sell },
  { name: 'cancel a purchase', weight: 2, run: cancelPurchase },
  { name: 'ask for a status', weight: 4, run: askStatus },
  { name: 'check a card', weight: 1, run: checkCard },
]
