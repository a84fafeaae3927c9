import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call } from '../../system/acceptance/server.ts'
import { openVendor } from './changed-server.ts'
import { compare, openFolder, record } from './compared.ts'

const guest = { 'request-source': 'vendor.com' }
const dealer = { ...guest, 'vendorus-profId': 'dealer-erin' }

async function readZips(url: string): Promise<void> {
  for (const zip of ['10001', '07660-1234', '99999']) {
    await call(`${url}/stg/us/guest/zipCode?zipCode=${zip}`, 'GET', undefined, guest)
  }
}

async function readPages(url: string): Promise<void> {
  for (const path of ['tickets?limit=51', 'stores']) {
    await call(`${url}/stg/us/dealer/${path}`, 'GET', undefined, dealer)
  }
  await call(`${url}/stg/us/guest/schedule`, 'GET', undefined, guest)
}

async function readMalformed(url: string): Promise<void> {
  for (const path of ['tickets?statusList=E0009', 'schedule?zipCode=1', 'stores?pageNo=0&fields=nope']) {
    await call(`${url}/stg/us/dealer/${path}`, 'GET', undefined, dealer)
  }
}

const rejecting = { 'unusable-values': 'reject' }
const required = { 'guest-identity': 'required' }
const bodiless = { ...required, 'error-shape': 'empty' }
const problem = { ...required, 'error-shape': 'problem' }

type Vendor = Record<string, unknown> | string

test.each<[string, (url: string) => Promise<void>, Vendor, object]>([
  ['rejects guests', readZips, required, required],
  ['rejects guests with an empty body', readZips, bodiless, bodiless],
  ['rejects guests with a problem document', readZips, problem, problem],
  ['has the strict profile', readZips, 'strict', bodiless],
  ['rejects malformed values', readMalformed, rejecting, rejecting],
  ['has the strict profile and limits pages', readPages, 'strict', { ...bodiless, 'page-max': 50 }],
])(
  'compare learns the choices of a vendor that %s even without calls both sides rejected',
  async (_, run, choices, learned) => {
    const text = await record(run)
    const args = ['--upstream', await openVendor({ choices }, 'theirs')]
    const file = join(openFolder(), 'learned.json')
    const first = await compare(text, ...args, '--learn', file)
    expect([first.code, first.report.differences.filter(({ value }) => value === undefined)]).toEqual([1, []])
    const profile = JSON.parse(readFileSync(file, 'utf8'))
    expect(profile.choices).toMatchObject(learned)
    const again = await compare(text, ...args, '--profile', file)
    expect([again.code, again.report.differences]).toEqual([0, []])
  },
)

test.each<[string, unknown, unknown, (url: string) => Promise<void>]>([
  ['guest-identity', 'required', 'optional', readZips],
  ['zip-plus-four', 'accepted', 'refused', readZips],
  ['page-max', 50, 100, readPages],
])(
  'the choice %s in --profile explains a difference from an upstream without a profile',
  async (id, own, plain, run) => {
    const file = join(openFolder(), 'own.json')
    writeFileSync(file, JSON.stringify({ profile: 'own', choices: { [id]: own } }))
    const upstream = await openVendor({}, 'theirs')
    const { code, report } = await compare(await record(run), '--upstream', upstream, '--profile', file)
    expect(code).toBe(1)
    expect(new Set(report.differences.map(({ explanation }) => explanation))).toEqual(new Set([`choice: ${id}`]))
    expect(report.differences[0]!.value).toBe(plain)
  },
)
