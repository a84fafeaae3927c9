import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UnusableState } from '../../src/ports.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'
import {
  IMAGE,
  IMAGE_DIGEST,
  leaveDirectory,
  leaveOlderDirectory,
  openEngine,
  readDirectory,
  worldRecord,
} from './directories.ts'

const whole = { tickets: 400, last: 'word', image: Buffer.from(IMAGE) }

test.each(['stopped', 'killed'] as const)('all is there after the server was %s', async (how) => {
  expect(await readDirectory(await leaveDirectory(how))).toEqual(whole)
})

test('of a server that stopped, a single flipped bit is noticed wherever it is', async () => {
  const folder = await leaveDirectory('stopped')
  const file = join(folder, 'data.mdb')
  const good = readFileSync(file)
  const digest = readFileSync(join(folder, 'digest'))
  for (let at = 7; at < good.length; at += Math.floor(good.length / 12)) {
    const bad = Buffer.from(good)
    bad[at]! ^= 1 << (at % 8)
    writeFileSync(file, bad)
    writeFileSync(join(folder, 'digest'), digest)
    await expect(readDirectory(folder)).rejects.toThrow(/is damaged: it is not what the last server left/)
  }
})

test('after a kill, a page of rubbish is noticed or harmless, and nothing is served in part', async () => {
  const folder = await leaveDirectory('killed')
  const file = join(folder, 'data.mdb')
  const good = readFileSync(file)
  let refused = 0
  for (let page = 0; page < good.length / 4096; page += 3) {
    const bad = Buffer.from(good)
    for (let i = 0; i < 4096; i++) bad[page * 4096 + i] = (i * 31 + page * 7) % 256
    writeFileSync(file, bad)
    rmSync(join(folder, 'digest'), { force: true })
    const outcome = await readDirectory(folder).catch((error: unknown) => error)
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(UnusableState)
      refused++
    } else expect(outcome).toEqual(whole)
  }
  expect(refused).toBeGreaterThan(5)
}, 120_000)

test.each([
  ['data.mdb', 'the data file'],
  ['data.mdb', 'half of the data file'],
  ['manifest.json', 'the manifest'],
  [`images/1/${IMAGE_DIGEST}`, 'an image'],
])('a directory without %s (%s) is refused', async (name, what) => {
  const folder = await leaveDirectory('killed')
  const path = join(folder, name)
  if (what.startsWith('half')) writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size / 2))
  else rmSync(path)
  await expect(readDirectory(folder)).rejects.toThrow(UnusableState)
})

test('an image that was changed is refused, and one that no record names is swept', async () => {
  const folder = await leaveDirectory('killed')
  const images = join(folder, 'images/1')
  writeFileSync(join(images, 'f'.repeat(64)), 'nobody names it')
  mkdirSync(join(folder, 'images/77'))
  expect(await readDirectory(folder)).toEqual(whole)
  expect(readdirSync(images)).toEqual([IMAGE_DIGEST])
  expect(existsSync(join(folder, 'images/77'))).toBe(false)
  writeFileSync(join(images, IMAGE_DIGEST), 'something else')
  await expect(readDirectory(folder)).rejects.toThrow(/image .* is damaged/)
})

test('a folder of somebody else is left alone', async () => {
  const folder = makeTemporaryFolder()
  writeFileSync(join(folder, 'letter.txt'), 'Dear all')
  await expect(openEngine(folder)).rejects.toThrow(/is no data directory of vendor-cloud: it holds letter.txt/)
  expect(readdirSync(folder)).toEqual(['letter.txt'])
})

test('a directory of a newer server is refused', async () => {
  const folder = await leaveDirectory('stopped')
  const manifest = { product: 'vendor-cloud', format: 1, schemaVersion: 999, complete: true }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  await expect(openEngine(folder)).rejects.toThrow(/written by a newer server/)
})

test('a directory has one server at a time, and a dead one does not hold it', async () => {
  const folder = join(makeTemporaryFolder(), 'data')
  const engine = await openEngine(folder)
  await expect(openEngine(folder)).rejects.toThrow(/in use by another server/)
  await engine.close()
  await (await openEngine(folder)).close()
})

test('a start that was cut off before the first commit begins anew', async () => {
  const folder = makeTemporaryFolder()
  const manifest = { product: 'vendor-cloud', format: 1, schemaVersion: 2, complete: false }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'data.mdb'), 'half a page')
  const engine = await openEngine(folder)
  await engine.create(worldRecord(), { records: new Map(), blobs: [] })
  await engine.close()
  expect(readdirSync(folder).sort()).toContain('digest')
})

test('older records are brought up to date, and stay so', async () => {
  const folder = await leaveOlderDirectory()
  const manifest = readFileSync(join(folder, 'manifest.json'))
  for (let start = 0; start < 2; start++) {
    const engine = await openEngine(folder)
    expect(await engine.list()).toMatchObject([{ clock: { frozenAt: '2030-01-01T00:00:00.000Z' } }])
    expect(await (await engine.open('default')).store.settings.get('last')).toEqual({ name: 'last', value: 'word' })
    await engine.close()
  }
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).not.toContain('"schemaVersion":1')

  // As after a kill between the last commit and the manifest.
  writeFileSync(join(folder, 'manifest.json'), manifest)
  const again = await openEngine(folder)
  expect(await again.list()).toMatchObject([{ clock: { frozenAt: '2030-01-01T00:00:00.000Z' } }])
  await again.close()
})
