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

/** Writes only protocol messages to stdout. */
export const mcp = defineCommand({
  options: {
    ...addressOptions,
    world: { takes: 'NAME', about: 'Default world of the tools. Created if missing, except with --read-only' },
    'read-only': { about: 'Offer only tools and actions that change nothing' },
    'allow-run': { about: 'Allow the `examine` tool to run commands on this machine' },
    tools: { takes: 'LIST', about: `Offer only the tools in LIST, from ${toolNames.join(',')} (default: all)` },
  },
  example: 'mcp --read-only',
  notes: 'Without --url, it uses the server on this machine at PORT, or starts its own server if none is running.',
  async run({ values }, { stderr }) {
    const tools = readTools(values.tools)
    const readOnly = values['read-only'] ?? false
    const { open, close } = await openTarget(values, readOnly, (line) => stderr.write(`vendor-cloud mcp: ${line}\n`))
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
        // Replaces the message of the SDK, which is a long list of zod issues.
        const says = name === 'ZodError' ? 'a line of standard input is not a JSON-RPC message' : message
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
  close(): Promise<void>
}

/** Uses the server of `--url`. Without `--url`, uses a server on this machine, or starts one. */
async function openTarget(
  { url, key, world }: Target,
  readOnly: boolean,
  tell: (line: string) => void,
): Promise<McpTarget> {
  const remote = (name: string) => openWorld({ url, key, ...(name !== DEFAULT_WORLD && { world: name }) })
  // Reports an invalid world name or an unusable server before the protocol starts.
  remote(world ?? DEFAULT_WORLD)
  const usual = remote(DEFAULT_WORLD)
  if (url !== undefined) await withWorld({ url, key }, (each) => each.ready())
  const isThere = url !== undefined || (await answers(usual))
  const target = isThere ? { open: remote, close: async () => {} } : await start()
  if (!isThere) {
    const own = target.open(DEFAULT_WORLD).url
    tell(`no vendor-cloud server responds at ${usual.url}, so this session uses its own server at ${own}`)
  }
  if (world !== undefined && !readOnly) await makeWorld(target, world)
  return target
}

async function answers(world: WorldClient): Promise<boolean> {
  try {
    await world.ready()
    return true
  } catch (error) {
    return error instanceof ControlError && error.status > 0
  }
}

/** Uses a free port, so that other agents do not find this server. Its worlds are lost when it stops. */
async function start(): Promise<McpTarget> {
  const server = await startServer(readConfig(undefined, { PORT: '0' }))
  const { url, controlKey: key } = server
  const direct = createDirectFetch()
  return {
    open: (name) => createWorldClient(url, { key, fetch: direct, ...(name !== DEFAULT_WORLD && { world: name }) }),
    close: () => server.close(),
  }
}

/** Ignores errors of the server, because each tool call reports them. */
async function makeWorld({ open }: McpTarget, name: string): Promise<void> {
  try {
    await open(DEFAULT_WORLD).call('createWorld', { body: { name } })
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
  }
}

function createCaseFiles(folder: string): CaseFiles {
  return {
    async read(file) {
      const path = await realpath(await toPath(folder, file)).catch(() => undefined)
      if (path === undefined) throw new UsageError(`${file} does not exist`)
      if (!isBelow(await realpath(folder), path)) throw refused(file)
      return readText(path)
    },
    async write(file, text) {
      const path = await toPath(folder, file)
      if (await lstat(path).catch(() => undefined))
        throw new UsageError(`cannot write ${file}: the file already exists`)
      await writeResult(text, path, { stdout: { write: () => {} }, stderr: { write: () => {} } })
    },
  }
}

/** Resolves symbolic links, which may point outside the folder. */
async function toPath(folder: string, file: string): Promise<string> {
  if (file === '' || file.includes('\0')) throw refused(file)
  const path = resolve(folder, file)
  const root = await realpath(folder)
  const parent = await realpath(dirname(path)).catch(() => undefined)
  if (parent === undefined) {
    // Must not reveal which other folders exist.
    const isHere = [resolve(folder), root].some((each) => isBelow(each, path))
    throw isHere ? new UsageError(`the folder of ${file} does not exist`) : refused(file)
  }
  if (parent !== root && !isBelow(root, parent)) throw refused(file)
  return join(parent, basename(path))
}

const isBelow = (root: string, path: string) => path.startsWith(root.endsWith(sep) ? root : root + sep)

function refused(file: string): UsageError {
  return new UsageError(`${JSON.stringify(file)} is not below the folder in which vendor-cloud mcp was started`)
}
