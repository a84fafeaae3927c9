import { defineChoices } from './choice.ts'

export const controlChoices = defineChoices('Control API', 'control API', {
  'control-access': {
    silence: 'access',
    choice:
      'on loopback, and with `CONTROL=open`: Host, and the host of a target in absolute form, loopback, Origin, if ' +
      'any, ours, and no sign of a proxy (`Forwarded` and `Forwarded-*`, `X-Forwarded` and `X-Forwarded-*`, ' +
      '`X-Original-Forwarded-*`, `Via`, `CDN-Loop`, `X-Real-IP`, `X-RealIP`, `X-Envoy-*`, `Client-IP`, ' +
      '`*-Client-IP`, `*-Connecting-IP`; `_` counts as `-`) or another site (`Sec-Fetch-Site: cross-site`), ' +
      'else 403; elsewhere, and wherever `CONTROL_KEY` is set, a key, else 401',
  },
  'control-refusals': {
    silence: 'what cannot be done',
    choice: '404 for what there is not, 409 for what is so already, 400 for a body that names what there is not',
  },
  'world-names': {
    silence: 'worlds',
    choice: 'an unknown name 404, one in use 409; random without a `seed`; `expiresIn` in real seconds',
  },
  forks: {
    silence: 'forks (`from`)',
    choice:
      'records, images, clock, counters, outbox and seed; journal, faults and streams are its own; a reset ' +
      'puts it back there; `seed` or `now` beside it: 400',
  },
  clock: {
    silence: 'clock',
    choice:
      '2000-01-01 to 9000-12-31; `advance` goes forward, `PUT` anywhere; `offsetMs` is 0 while it stands; ' +
      'a world may begin `frozen`',
  },
  snapshots: {
    silence: 'snapshot',
    choice:
      'no journal, streams, event history; a collection not named is empty, what it does not know 400; over 256 MiB ' +
      '413; a record of over 12,000 values or 4,000,000 characters, an object of over 20,000 names inside one 400',
  },
  restore: {
    silence: 'restore',
    choice: 'takes seed, counters and secret over',
  },
  records: {
    silence: 'records',
    choice:
      'a unique value of another record 409, a field that it does not have 400; references are not checked, since ' +
      'tests want odd worlds too',
  },
  journal: {
    silence: 'journal',
    choice:
      '10,000 entries and about 64 MiB a world and instance; `format=har` exports all that fit; a ' +
      'long reading ends when its client has left; what nobody is left to read is logged and counted with status ' +
      '499, and a request that broke off has no status here; a reply that breaks off keeps its status, and its entry ' +
      'and its line of the log say `aborted`; identities and tokens of the fixtures stand as they were sent, other ' +
      'values of secret names as `[redacted]`, what the world issued as `{{token:n}}` wherever it stands',
    why: 'a name alone tells that a value is secret; `format=har` keeps `{{token:n}}` for all, since a case needs them',
  },
  'journal-matching': {
    silence: 'matching',
    choice:
      'query values equal, header values contained, `body` fields equal at any depth, a number also to its text; `*` in ' +
      "a path is anything, and paths stand without a world's prefix and document 1's base path",
  },
  verify: {
    silence: 'verify',
    choice: 'without a fit names what came closest, and how it differs',
  },
  'known-operations': {
    silence: 'an operation that there is not, in journal, verify or faults',
    choice: '400',
    why: 'a mistyped name would fit nothing, and `count: 0` always hold',
  },
  'fault-words': {
    silence: 'what a provoked failure says',
    choice:
      'what the document says of the status (`schedule not found`), else HTTP; the wallet names a ' +
      'parameter that was sent; the header `x-vendor-cloud-fault` names the fault',
  },
  'fault-kind-status': {
    silence: 'a fault with a status below 400',
    choice: 'the work is done and its own reply goes out with it (204: without a body); a refusal stays what it is',
  },
  faults: {
    silence: 'faults',
    choice:
      'one that could never strike is 400; a spent one stays in GET with `struck`; `cut`, `drip` and ' +
      '`garbage` strike event streams too; a request that one stopped is journaled under its operation',
  },
  variation: {
    silence: 'variation',
    choice:
      "off until asked for; `seed` is the world's, or else its name; ended by a reset, unless the world " +
      'was made with it; faults, images and pages vary in HTTP alone; journal and cases hold each reply as ' +
      'it was before, status 200 and no coding too, and a replay does not vary; what the caller sent, chose ' +
      'or filtered by stays as it is',
  },
  examination: {
    silence: 'examination',
    choice:
      'what `vendor-cloud examine` told last, of all worlds of an instance; kept in memory, 404 when there ' +
      'is none',
  },
  'emitted-events': {
    silence: 'events',
    choice: 'an unknown capability, attribute or value is 400, unless `force`',
  },
  scenarios: {
    silence: 'scenarios',
    choice:
      'at most 1,000 steps; a repeating play takes at least 100 ms; each step is played once, by whichever ' +
      'instance',
  },
  'no-content': {
    silence: '204',
    choice: 'what `PUT` of a snapshot, chaos, deletes and resets answer',
  },
})

export const keptStateChoices = defineChoices('Kept state and many instances', 'no document', {
  engines: {
    silence: 'engines',
    choice: 'memory, `DATA_DIR` or `DATABASE_URL`; two at once are refused',
  },
  'ended-worlds': {
    silence: 'a world that ends under a call',
    choice: '404 with words',
  },
  damage: {
    silence: 'damage',
    choice:
      "a folder is checked whole before anything is served: SQLite's check, a checksum of each record, " +
      'images against digests',
  },
  'crash-recovery': {
    silence: 'after a crash',
    choice: 'the data file is written anew from its checked records: what lies free in it has no checksum',
  },
  'shared-events': {
    silence: 'events of many instances',
    choice:
      'stored with the change that caused them: 50,000 a world, for 24 hours; an instance that is cut off for 5 seconds loses its streams',
  },
  'shared-changes': {
    silence: 'changes of worlds and clocks',
    choice: 'answered when the other instances have them, or after a second',
  },
})
