import { readFile } from 'node:fs/promises'
import { type Case, parseCase } from '#contract/files/case.ts'
import { readCasePageParts } from '#server/package-files.ts'
import { writeCasePage } from '#tools/cases/page/case-page.ts'
import { playCase } from '#tools/cases/player/played-case.ts'
import { type CaseView, toCaseView } from '#tools/cases/view/case-view.ts'
import { startCaseServer } from './start-case-server.ts'

/** A longer replay is cut off, and the page shows what is known by then. */
const PATIENCE = 60_000

/** After `patience` milliseconds of real time the page is written with what is known by then. */
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

/** A case of a foreign server, or one with an incomplete header, has no initial state. */
function hasBeginning({ header: { origin, snapshot, fixtures, changed } }: Case): boolean {
  return origin === undefined && (snapshot !== undefined || (fixtures !== undefined && changed !== undefined))
}
