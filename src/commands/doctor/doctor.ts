import process from 'node:process'
import { type Config, ConfigError, readConfig } from '../../server/config.ts'
import { toLinePart } from '../../tools/control-client/printable.ts'
import { jsonOption } from '../client/client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, show } from '../input-output.ts'
import {
  checkCertificate,
  checkClock,
  checkDataFolder,
  checkDatabase,
  checkFiles,
  checkNode,
  checkPort,
  checkProxies,
  type Diagnosis,
} from './checks.ts'

/** It changes nothing, and tells how to mend each fault. */
export const doctor = defineCommand({
  options: jsonOption,
  example: 'doctor',
  async run({ values }, output) {
    const checks = await diagnose()
    const isFaulty = checks.some(({ state }) => state === 'fault')
    show({ healthy: !isFaulty, checks }, values.json, output, () => checks.map(toLines).join(''))
    return isFaulty ? exitCodes.findings : exitCodes.ok
  },
})

async function diagnose(): Promise<Diagnosis[]> {
  const always = [checkNode(process.versions.node), checkClock(), ...checkProxies()]
  const config = readSettings()
  if (!('PORT' in config)) return [...always, config]
  return [
    ...always,
    { what: 'settings', state: 'ok', says: 'all can be used' },
    await checkPort(config),
    ...(await checkDataFolder(config)),
    ...(await checkFiles(config)),
    ...(await checkCertificate(config)),
    ...(await checkDatabase(config)),
  ]
}

function readSettings(): Config | Diagnosis {
  try {
    return readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const mend = 'docs/configuration.md has each setting and its values'
    return { what: 'settings', state: 'fault', says: error.message.replaceAll('\n', '; '), mend }
  }
}

const marks = { ok: 'ok   ', note: 'note ', fault: 'FAULT' } as const

function toLines({ what, state, says, mend }: Diagnosis): string {
  // A message may quote a file.
  const line = `${marks[state]} ${what.padEnd(10)} ${toLinePart(says)}\n`
  return mend === undefined ? line : `${line}${' '.repeat(17)}${mend}\n`
}
