import type { ExampleRequest } from './example-request.ts'

const device = { deviceId: 'aaaaaaaa-0000-4000-8000-000000000001' }
const post = { method: 'POST' }

/** Calls of the control API that take a body, each of which succeeds once on a fresh server. */
export const controlExamples: readonly ExampleRequest[] = [
  { operation: 'createWorld', ...post, path: 'worlds', body: { name: 'demo', seed: 'any text', expiresIn: 600 } },
  { operation: 'setClock', method: 'PUT', path: 'clock', body: { frozen: true } },
  { operation: 'advanceClock', ...post, path: 'clock/advance', body: { duration: 'PT1H' } },
  {
    operation: 'verifyJournal',
    ...post,
    path: 'journal/verify',
    body: { match: { operation: 30, status: 200 }, atLeast: 1 },
  },
  {
    operation: 'addFault',
    ...post,
    path: 'faults',
    body: { match: { operation: 30 }, respond: { status: 503, retryAfter: 1 }, times: 1 },
  },
  {
    operation: 'createPurchase',
    ...post,
    path: 'purchases',
    body: {
      sellerSecret: '123456789012',
      purchaseID: 'my-purchase',
      itemID: 'premium',
      period: 'P1M',
      price: 4.99,
      currency: 'USD',
      country: 'USA',
    },
  },
  {
    operation: 'cancelPurchase',
    ...post,
    path: 'purchases/{purchaseID}/cancel',
    parameters: { purchaseID: 'purchase-active' },
    body: { reason: '1' },
  },
  {
    operation: 'checkCard',
    ...post,
    path: 'wallet/check',
    body: { barcode: { serialType: 'BARCODE', ptFormat: 'BARCODE', ptSubFormat: 'EAN_13', value: '4006381333931' } },
  },
  {
    operation: 'issueAccessToken',
    ...post,
    path: 'tokens',
    body: {
      user: 'alice-home',
      scopes: ['r:devices:*'],
      locations: ['11111111-0000-4000-8000-000000000001'],
      expiresIn: 3600,
    },
  },
  {
    operation: 'emitDeviceEvent',
    ...post,
    path: 'devices/{deviceId}/events',
    parameters: device,
    body: { capability: 'switch', attribute: 'switch', value: 'on' },
  },
  {
    operation: 'reportHealth',
    ...post,
    path: 'devices/{deviceId}/health',
    parameters: device,
    body: { status: 'OFFLINE' },
  },
  {
    operation: 'changeLifecycle',
    ...post,
    path: 'devices/{deviceId}/lifecycle',
    parameters: device,
    body: { lifecycle: 'ROOM_MOVE', roomIdTo: 'attic' },
  },
  {
    operation: 'startScenario',
    ...post,
    path: 'scenarios',
    body: {
      steps: [
        { afterMs: 1000, ...device, capability: 'switch', attribute: 'switch', value: 'on' },
        { afterMs: 2000, ...device, capability: 'switch', attribute: 'switch', value: 'off' },
      ],
    },
  },
  {
    operation: 'publishExamination',
    method: 'PUT',
    path: 'examination',
    body: {
      seed: 'any text',
      grade: 'C',
      scenarios: [
        { name: 'wallet-away', state: 'done' },
        { name: 'wallet-json-order', state: 'running' },
      ],
      checks: [
        {
          name: 'asks-again-after-500',
          level: 'SHOULD',
          verdict: 'failed',
          advice: 'Ask again after 500, a little later each time.',
        },
      ],
    },
  },
].map((request) => ({ ...request, path: `/_control/${request.path}` }))

/** What a client has to find out before it can call these. */
export const controlNeeds: Readonly<Record<string, string>> = {
  getJournalEntry: 'id of an entry, from listJournal',
  deleteFault: 'faultId, from addFault',
  getWorld: 'name of a world, from createWorld',
  deleteWorld: 'name of a world, from createWorld',
  getRecord: 'key of a record, from listRecords',
  putRecord: 'a record, from getRecord',
  deleteRecord: 'key of a record, from listRecords',
  restoreSnapshot: 'a snapshot, from takeSnapshot',
  confirmTicket: 'srid of a ticket in E0001, from listRecords',
  completeTicket: 'srid of a ticket in E0002, from listRecords',
  issueCertificate: 'a signing request, from `vendor-cloud wallet request`',
  revokeAccessToken: 'accessToken, from issueAccessToken',
  deleteScenario: 'scenarioId, from startScenario',
  disturbStream: 'subscriptionId of an open stream, from listStreams',
  getImage: 'imageId, from operation 26',
  getRecording: 'a recording that runs, from startRecording',
  endRecording: 'a recording that runs, from startRecording',
  getVariation: 'replies that vary, from setVariation',
  getExamination: 'an examination, from publishExamination',
  endRecordings: 'a recording that runs, from startRecording',
}
