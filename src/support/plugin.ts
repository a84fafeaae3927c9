import accepts from '@fastify/accepts'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type Identity, requireDealer } from '../domain/identity.ts'
import { readJson } from '../http/input/json-body.ts'
import { createJsonErrorHandler } from '../http/json-errors.ts'
import { acceptJson, refuseEncodedBody } from '../http/input/request-rules.ts'
import { cancelPage } from './cancel-page.ts'
import { ctiTokens } from './cti-tokens.ts'
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
import { feedback, guestFeedback } from './feedback.ts'
import { identifyGuest, identifyOrigin, identifyUser, userOf } from './identity.ts'
import { inStoreCatalog } from './in-store/catalog.ts'
import { emailCancellation, inStoreRequests } from './in-store/requests.ts'
import { inStoreSlots } from './in-store/slots.ts'
import { taxonomies } from './in-store/taxonomies.ts'
import type { SupportApp, SupportRoutes } from './operation.ts'
import { orderHelp } from './order-help.ts'
import { productColors } from './product-colors.ts'
import { productValidation } from './product-validation.ts'
import { schedules } from './schedules.ts'
import { symptomImages } from './symptom-images.ts'
import { dealerSymptoms, symptoms } from './symptoms.ts'
import { dealerTroubleshooting, troubleshooting } from './troubleshooting.ts'
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
  dealerSymptoms,
  dealerTroubleshooting,
]
const identified: SupportRoutes[] = [orderHelp, feedback, inStoreRequests]
const guests: SupportRoutes[] = [
  zipCodes,
  schedules,
  ctiTokens,
  guestFeedback,
  symptoms,
  troubleshooting,
  productValidation,
  productColors,
  symptomImages,
]
const anonymous: SupportRoutes[] = [inStoreSlots, inStoreCatalog, taxonomies, emailCancellation]

/** Document 1: the support interface. Which scope a route is in says who may call it. */
export async function support(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(createJsonErrorHandler(supportStatuses))
  await app.register(cookie)
  await app.register(accepts)
  acceptJson(app, readJson)

  scope(app, identified, identifyUser)
  scope(app, dealerPortal, identifyUser, (request) => requireDealer(request.ports, userOf(request)))
  scope(app, guests, identifyGuest)
  scope(app, anonymous, identifyOrigin)
  cancelPage(app as unknown as SupportApp)
}

/** Who calls is known before anything else of a request is looked at; `require` asks the store whether they may. */
function scope(
  app: FastifyInstance,
  rooms: SupportRoutes[],
  identify: (request: FastifyRequest) => Identity,
  require?: (request: FastifyRequest) => Promise<Identity>,
): void {
  app.register(async (scoped) => {
    // A route's own hooks come last: who calls is known by then. An operation without a body ignores what is sent.
    scoped.addHook('onRoute', (route) => {
      if (route.schema?.body) route.onRequest = [...[route.onRequest ?? []].flat(), refuseEncoded]
    })
    scoped.addHook('onRequest', (request, _reply, done) => {
      request.identity = identify(request)
      done()
    })
    if (require) {
      scoped.addHook('onRequest', async (request) => {
        request.identity = await require(request)
      })
    }
    for (const routes of rooms) routes(scoped as unknown as SupportApp)
  })
}

const refuseEncoded: onRequestHookHandler = (request, _reply, done) => {
  refuseEncodedBody(request)
  done()
}
