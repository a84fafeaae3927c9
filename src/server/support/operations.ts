import { supportOperations } from '#contract/documents/support/operations.ts'
import { lookUpSchedule } from '../domain/appointments/schedules.ts'
import { lookUpWrittenZipCode } from '../domain/appointments/zip-codes.ts'
import { createCustomer, editCustomer, searchCustomers } from '../domain/dealer/customers.ts'
import { submitDispute } from '../domain/dealer/disputes.ts'
import { findDealerProduct, listDealerProducts, registerProduct } from '../domain/dealer/registered-products.ts'
import { listStores } from '../domain/dealer/stores.ts'
import { cancelTicket, rescheduleTicket, whyNoOpenTicket } from '../domain/dealer/ticket-appointments.ts'
import { listTickets } from '../domain/dealer/ticket-search.ts'
import { createTicket, lookUpTicket } from '../domain/dealer/tickets.ts'
import { createCtiToken } from '../domain/guest/cti-tokens.ts'
import { saveFeedback } from '../domain/guest/feedback.ts'
import type { DomainError } from '../domain/errors.ts'
import { listCategoryChildren, listColors, listContactReasons, requireOrderHelpForm } from '../domain/guest/catalog.ts'
import { lookUpDevice, validateProduct } from '../domain/guest/product-validation.ts'
import { uploadSymptomImage } from '../domain/guest/symptom-images.ts'
import { lookUpSymptoms } from '../domain/guest/symptoms.ts'
import type { Anonymous, Dealer, Guest, Identity, User } from '../domain/identity.ts'
import { cancelByEmail, cancelInStoreRequest } from '../domain/in-store/in-store-cancellations.ts'
import { listInStoreArticles, listInStoreSymptoms, lookUpNearestCenter } from '../domain/in-store/in-store-catalog.ts'
import {
  checkMobileNumber,
  createInStoreRequest,
  lookUpInStoreRequest,
  whyNoInStoreRequest,
} from '../domain/in-store/in-store-requests.ts'
import { listInStoreSlots } from '../domain/in-store/in-store-slots.ts'
import { lookUpTaxonomy, lookUpTaxonomyTree } from '../domain/in-store/taxonomies.ts'
import { baseUrl } from '../http/addresses.ts'
import { citeRules } from '../http/errors.ts'
import { acceptOf } from '../http/input/headers.ts'
import { recordRefusal } from '../http/request-context.ts'
import type { Handler, Operation, RequestContext } from '../http/operations.ts'
import { alsoNamed } from './own-company.ts'
import { guideTypes } from '#contract/documents/support/troubleshooting.ts'
import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import { type TroubleshootingQuery, readTroubleshootingGuide } from '../domain/guest/troubleshooting.ts'
import { escapeHtml } from '../domain/html.ts'
import type { TroubleshootingGuide } from '#contract/records/guest/symptom.ts'

interface Callers {
  users: User
  dealers: Dealer
  guests: Guest
  anonymous: Anonymous
}

type Contracts = typeof supportOperations

/** TypeScript reports an error if a handler is missing or is written for callers of another scope. */
const handlers: { readonly [Row in keyof Contracts]: Handler<Callers[Contracts[Row]['scope']], Contracts[Row]> } = {
  1: async ({ ports }) => listContactReasons(ports),
  2: async ({ ports, query }) => requireOrderHelpForm(ports, query.reasonId),
  3: async ({ ports, caller }) => createCtiToken(ports, caller),
  4: async ({ ports, caller, body }) => saveFeedback(ports, caller, body),
  5: async ({ ports, params }) => listCategoryChildren(ports, params.id),
  6: async ({ ports, caller, query }, reply) => {
    const found = await searchCustomers(ports, caller, query)
    reply.header('x-total-count', found.totalCount)
    return found.customer
  },
  7: async ({ ports, caller, body }) => {
    const created = await createCustomer(ports, caller, body)
    return { status: 200, code: 'OK', message: 'The customer was created', body: created }
  },
  8: async ({ ports, caller, body }) => createTicket(ports, caller, body),
  9: async ({ ports, caller, body }) => rescheduleTicket(ports, caller, body),
  10: async (request, reply) =>
    (await cancelTicket(request.ports, request.caller, request.params.srid)) ??
    explainNothing(request, reply, await whyNoOpenTicket(request.ports, request.caller, request.params.srid)),
  11: async ({ ports, caller, params, query }) => findDealerProduct(ports, caller, params.customerId, query),
  12: async ({ ports, caller, params, query }) => listDealerProducts(ports, caller, params.customerId, query),
  13: async ({ ports, caller, params, query, body }) => {
    const changes = { ...body, bpNo: alsoNamed(params.id, query, body) }
    const edited = await editCustomer(ports, caller, params.id, changes)
    return { status: 200, code: 'OK', message: 'The customer was changed', body: edited }
  },
  14: async ({ ports, caller, params, query, body }) =>
    registerProduct(ports, caller, params.id, { ...body, bpNo: alsoNamed(params.id, query, body) }),
  15: async ({ ports, caller, body }) => submitDispute(ports, caller, body),
  16: async ({ ports, caller, query }) => lookUpSchedule(ports, caller, query),
  17: async ({ ports, caller, query }) => {
    const { 'sort.field': sortField, 'sort.direction': sortDirection, ...search } = query
    return listStores(ports, caller, { ...search, sortField, sortDirection })
  },
  18: async ({ ports, query }) => lookUpSymptoms(ports, query),
  19: async ({ ports, caller, query }) => {
    const { 'sorts[0].field': sortField, 'sorts[0].direction': sortDirection, ...search } = query
    return listTickets(ports, caller, { sortField, sortDirection, ...search })
  },
  20: async ({ ports, caller, params }) => lookUpTicket(ports, caller, params.id),
  21: answerGuide,
  22: async ({ ports, caller, body }) => saveFeedback(ports, caller, body),
  23: async ({ ports, query }) => validateProduct(ports, query),
  24: async ({ ports, params }) => lookUpDevice(ports, params.deviceId),
  25: async ({ ports, caller, query }) => lookUpSchedule(ports, caller, query),
  26: async ({ ports, query, body }) => uploadSymptomImage(ports, query, body.imageFile),
  27: async ({ ports, query }) => lookUpSymptoms(ports, query),
  28: async ({ ports, query }) => listColors(ports, query.modelCode),
  29: answerGuide,
  30: async ({ ports, query }) => lookUpWrittenZipCode(ports, query.zipCode),
  31: async (request, reply) =>
    (await cancelInStoreRequest(request.ports, request.caller, request.query)) ??
    explainNothing(request, reply, await whyNoInStoreRequest(request.ports, request.query.srid, 'cancel-nothing')),
  32: async ({ ports, caller }) => checkMobileNumber(ports, caller),
  33: async (request) => createInStoreRequest(request.ports, request.caller, request.body, baseUrl(request)),
  34: async (request, reply) =>
    (await lookUpInStoreRequest(request.ports, request.caller, request.query.srid)) ??
    explainNothing(request, reply, await whyNoInStoreRequest(request.ports, request.query.srid, 'no-in-store-request')),
  35: async ({ ports, query }) => cancelByEmail(ports, query),
  36: async ({ ports, query }) => lookUpNearestCenter(ports, query),
  37: async ({ ports, query }) => listInStoreSlots(ports, query),
  38: async ({ ports, query }) => listInStoreSymptoms(ports, query),
  39: async ({ ports, query }) => lookUpTaxonomy(ports, query.upperTaxonomyCode),
  40: async ({ ports }) => lookUpTaxonomyTree(ports),
  41: async ({ ports, query }) => listInStoreArticles(ports, query),
}

export function operationsIn<Name extends keyof Callers>(scope: Name): Operation<Callers[Name]>[] {
  const operations = Object.values(supportOperations).filter((each) => each.scope === scope)
  return operations.map((each) => ({ ...each, run: handlers[each.operation] as Operation<Callers[Name]>['run'] }))
}

/** The client gets only the rule, so that it cannot find out whether another user's record exists. */
function explainNothing(request: RequestContext<Identity>, reply: FastifyReply, why: DomainError): undefined {
  recordRefusal(request, why)
  citeRules(reply, why)
}

/** Operations 21 and 29: the response is a string. It is in JSON unless the client prefers plain text or HTML. */
async function answerGuide(
  request: RequestContext<Identity, unknown, TroubleshootingQuery>,
  reply: FastifyReply,
): Promise<string> {
  const guide = await readTroubleshootingGuide(request.ports, request.query)
  const preferred = new Negotiator({ headers: { accept: acceptOf(request) } }).mediaType(guideTypes)
  const type = guideTypes.find((each) => each === preferred) ?? guideTypes[0]
  reply.header('vary', 'accept').type(`${type}; charset=utf-8`)
  if (type === 'text/html') return toHtml(guide)
  // Fastify sends strings unchanged, so the JSON quotes are added here.
  return type === 'application/json' ? JSON.stringify(toText(guide)) : toText(guide)
}

function toText({ title, steps, parts = [] }: TroubleshootingGuide): string {
  const lines = [title, ...steps.map((step, i) => `${i + 1}. ${step}`)]
  if (parts.length > 0) lines.push('Parts:', ...parts.map(({ symCode4, name }) => `${symCode4} ${name}`))
  return lines.join('\n')
}

function toHtml({ title, steps, parts = [] }: TroubleshootingGuide): string {
  const items = steps.map((step) => `<li>${escapeHtml(step)}</li>`).join('\n')
  const names = parts.map(({ symCode4, name }) => `<dt>${escapeHtml(symCode4)}</dt><dd>${escapeHtml(name)}</dd>`)
  const list = names.length > 0 ? `\n<h2>Parts</h2>\n<dl>\n${names.join('\n')}\n</dl>` : ''
  return `<article>\n<h1>${escapeHtml(title)}</h1>\n<ol>\n${items}\n</ol>${list}\n</article>`
}
