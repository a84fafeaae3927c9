import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import process from 'node:process'
import closeWithGrace from 'close-with-grace'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import { readConfig } from '#server/config.ts'
import { readVersion } from '#server/package-files.ts'
import { startServer } from '#server/server.ts'
import { type CaseFiles, type ExaminedClient, type McpContext, toolNames, type ToolName } from '#tools/mcp/context.ts'
import { ControlError } from '#tools/client/errors.ts'
import { toLinePart } from '#tools/client/printable.ts'
import { createWorldClient, type WorldClient } from '#tools/client/world-client.ts'
import { speakOnStdio } from '#tools/mcp/stdio.ts'
import { defineCommand } from '../command.ts'
import { addressOptions, openWorld, type Target, withWorld } from '../client/client.ts'
import { exitCodes, oneOf, readText, UsageError, writeResult } from '../input-output.ts'
import { cases, listChecksOf, runExamine } from './ports.ts'
import { createDirectFetch } from '../client/loopback.ts'

/** stdout carries the protocol alone. */
export const mcp = defineCommand({
  options: {
    ...addressOptions,
    world: { takes: 'NAME', about: 'World that tools use by default; created where there is none' },
    'read-only': { about: 'Offer only tools that change nothing' },
    'allow-run': { about: 'Let the tool examine run commands on this machine' },
    tools: { takes: 'LIST', about: `Offer only these tools: ${toolNames.join(',')}` },
  },
  example: 'mcp --read-only',
  notes: 'Without --url it asks the server at PORT of this machine, and starts one of its own where none runs there.',
  async run({ values }, { stderr }) {
    const tools = readTools(values.tools)
    const readOnly = values['read-only'] ?? false
    const { open, close } = await openTarget(values, readOnly)
    closeWithGrace({ delay: 10_000, logger: false }, close)
    const context: McpContext = {
      version: readVersion(),
      world: values.world ?? DEFAULT_WORLD,
      open,
      readOnly,
      tools,
      cases,
      files: createCaseFiles(process.cwd()),
      examiner: { list: listChecksOf, ...(values['allow-run'] && !readOnly && { run }) },
    }
    try {
      const onerror = ({ name, message }: Error) => {
        // For a line of another shape the SDK's message is a long list of zod's issues.
        const says = name === 'ZodError' ? 'a line of the standard input is not a JSON-RPC message' : message
        stderr.write(`vendor-cloud mcp: ${toLinePart(says)}\n`)
      }
      await speakOnStdio(context, { input: process.stdin, output: process.stdout, onerror })
    } catch (error) {
      stderr.write(`vendor-cloud mcp: ${(error as Error).message}\n`)
      return exitCodes.findings
    } finally {
      await close()
    }
    return exitCodes.ok
  },
})

function readTools(list: string | undefined): readonly ToolName[] | undefined {
  return list?.split(',').map((name) => oneOf(name.trim(), toolNames))
}

const run = async (asked: Parameters<typeof runExamine>[0]) => JSON.parse(await runExamine(asked)) as ExaminedClient

interface McpTarget {
  open(world: string): WorldClient
  /** Only a server that was started here ends. */
  close(): Promise<void>
}

/** A named server comes first, then one that runs on this machine, then one of this process. */
async function openTarget({ url, key, world }: Target, readOnly: boolean): Promise<McpTarget> {
  const remote = (name: string) => openWorld({ url, key, ...(name !== DEFAULT_WORLD && { world: name }) })
  // A name that cannot be one, or a wrong server, is told before the protocol begins.
  remote(world ?? DEFAULT_WORLD)
  if (url !== undefined) await withWorld({ url, key }, (each) => each.ready())
  const isThere = url !== undefined || (await answers(remote(DEFAULT_WORLD)))
  const target = isThere ? { open: remote, close: async () => {} } : await start()
  if (world !== undefined && !readOnly) await makeWorld(target, world)
  return target
}

/** Another program may listen on the port. */
async function answers(world: WorldClient): Promise<boolean> {
  try {
    await world.ready()
    return true
  } catch (error) {
    return error instanceof ControlError && error.status > 0
  }
}

/**
 * A free port is used: the configured one stays free for its owner's server, and a second agent never finds this one,
 * whose worlds end with it.
 */
async function start(): Promise<McpTarget> {
  const server = await startServer(readConfig(undefined, { PORT: '0' }))
  const { url, controlKey: key } = server
  const direct = createDirectFetch()
  return {
    open: (name) => createWorldClient(url, { key, fetch: direct, ...(name !== DEFAULT_WORLD && { world: name }) }),
    close: () => server.close(),
  }
}

/** A server that cannot be asked now is told by the tools at each call. */
async function makeWorld({ open }: McpTarget, name: string): Promise<void> {
  try {
    await open(DEFAULT_WORLD).call('createWorld', { body: { name } })
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
  }
}

/** An agent may open files below the folder of the tools, and no others. */
function createCaseFiles(folder: string): CaseFiles {
  return {
    async read(file) {
      const path = await realpath(await toPath(folder, file)).catch(() => undefined)
      if (path === undefined) throw new UsageError(`there is no file ${file}`)
      if (!isBelow(await realpath(folder), path)) throw refused(file)
      return readText(path)
    },
    async write(file, text) {
      const path = await toPath(folder, file)
      if (await lstat(path).catch(() => undefined)) throw new UsageError(`cannot write ${file}: it is there already`)
      await writeResult(text, path, { stdout: { write: () => {} }, stderr: { write: () => {} } })
    },
  }
}

/** Links may lead out of the folder, so the real path must be below it. */
async function toPath(folder: string, file: string): Promise<string> {
  if (file === '' || file.includes('\0')) throw refused(file)
  const path = resolve(folder, file)
  const root = await realpath(folder)
  const parent = await realpath(dirname(path)).catch(() => undefined)
  if (parent === undefined) {
    // An agent must not learn which other folders exist.
    const isHere = [resolve(folder), root].some((each) => isBelow(each, path))
    throw isHere ? new UsageError(`there is no folder of ${file}`) : refused(file)
  }
  if (parent !== root && !isBelow(root, parent)) throw refused(file)
  return join(parent, basename(path))
}

const isBelow = (root: string, path: string) => path.startsWith(root.endsWith(sep) ? root : root + sep)

function refused(file: string): UsageError {
  return new UsageError(`${JSON.stringify(file)} is no file below the folder that vendor-cloud mcp was started in`)
}
