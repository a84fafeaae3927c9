import { readFile } from 'node:fs/promises'
import { type Case, parseCase } from '../../contract/cases/case-file.ts'
import { readCasePageParts } from '../../server/package-files.ts'
import { writeCasePage } from '../../tools/cases/page/case-page.ts'
import { playCase } from '../../tools/cases/player/played-case.ts'
import { type CaseView, toCaseView } from '../../tools/cases/view/case-view.ts'
import { startCaseServer } from './start-case-server.ts'

/** Milliseconds of real time that a case may be played to learn of its rules and changes. */
const PATIENCE = 60_000

/** The page of a case file; after `patience` milliseconds of real time it is written with what is known by then. */
export async function writePageOf(file: string, patience: number): Promise<string> {
  return toPage(await viewCase(parseCase(await readFile(file, 'utf8')), patience))
}

export async function viewCase(file: Case, patience = PATIENCE): Promise<CaseView> {
  if (!hasBeginning(file)) {
    const note = 'It does not say what its world began with: rules are told by replies alone, and changes are not told.'
    return toCaseView(file, [note])
  }
  try {
    const { played, notes } = await playCase(file, await startCaseServer(file.header), patience)
    return { ...toCaseView(file, notes), played }
  } catch (error) {
    const why = (error as Error).message.slice(0, 500)
    return toCaseView(file, [`It cannot be made again here, so that changes are not told: ${why}`])
  }
}

export function toPage(view: CaseView, step?: number): string {
  const parts = readCasePageParts()
  if (!parts) throw new Error('the page of a case is made by the build: npm run build')
  return writeCasePage(view, parts, step)
}

/** A case of another server, or one whose first line is incomplete, says not what its world began with. */
function hasBeginning({ header: { origin, snapshot, fixtures, changed } }: Case): boolean {
  return origin === undefined && (snapshot !== undefined || (fixtures !== undefined && changed !== undefined))
}
