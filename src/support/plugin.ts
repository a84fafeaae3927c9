import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireDealer } from '../domain/identity.ts'
import { readJson } from '../http/json-body.ts'
import { createJsonErrorHandler } from '../http/json-errors.ts'
import { acceptJson, refuseEncodedBody } from '../http/request-rules.ts'
import { customers } from './dealer/customers.ts'
import { disputes } from './dealer/disputes.ts'
import { ownCompany } from './dealer/own-company.ts'
import { productCategories } from './dealer/product-categories.ts'
import { registeredProducts } from './dealer/registered-products.ts'
import { dealerSchedules } from './dealer/schedules.ts'
import { stores } from './dealer/stores.ts'
import { ticketAppointments } from './dealer/ticket-appointments.ts'
import { tickets } from './dealer/tickets.ts'
import { supportStatuses } from './errors.ts'
import { identifyGuest, identifyOrigin, identifyUser, userOf } from './identity.ts'
import { inStoreSlots } from './in-store/slots.ts'
import type { SupportApp, SupportRoutes } from './operation.ts'
import { schedules } from './schedules.ts'
import { zipCodes } from './zip-codes.ts'

const dealerPortal: SupportRoutes[] = [
  ownCompany,
  customers,
  disputes,
  productCategories,
  registeredProducts,
  stores,
  tickets,
  dealerSchedules,
  ticketAppointments,
]
const identified: SupportRoutes[] = []
const guests: SupportRoutes[] = [zipCodes, schedules]
const anonymous: SupportRoutes[] = [inStoreSlots]

/** Document 1: the support interface. Which scope a route is in says who may call it. */
export async function support(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(createJsonErrorHandler(supportStatuses))
  await app.register(cookie)
  app.addHook('onRequest', refuseEncodedBody)
  acceptJson(app, readJson)

  scope(app, identified, async (request) => {
    request.identity = identifyUser(request)
  })
  scope(app, dealerPortal, async (request) => {
    request.identity = identifyUser(request)
    request.identity = await requireDealer(request.ports, userOf(request))
  })
  scope(app, guests, async (request) => {
    request.identity = identifyGuest(request)
  })
  scope(app, anonymous, async (request) => {
    request.identity = identifyOrigin(request)
  })
}

function scope(app: FastifyInstance, rooms: SupportRoutes[], identify: (request: FastifyRequest) => Promise<void>): void {
  app.register(async (scoped) => {
    scoped.addHook('onRequest', identify)
    for (const routes of rooms) routes(scoped as unknown as SupportApp)
  })
}
