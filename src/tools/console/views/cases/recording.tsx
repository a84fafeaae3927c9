import { useState } from 'preact/hooks'
import { ControlError } from '#tools/client/errors.ts'
import { api, world } from '#tools/console/address.ts'
import type { CaseAbout } from '#tools/cases/view/case-view.ts'
import { change, useAnswer } from '#tools/console/live.ts'
import { Ask, Button, Refusal } from '#tools/console/parts/basics.tsx'
import { download } from '#tools/console/parts/code.tsx'
import { toSecond } from '#tools/console/text.ts'

/** Maximum length in characters of a case that is read again after each change. */
const FOLLOWED = 1_000_000

/** Reads the recording again after each action on this page and each change of the world. */
export function useRecording() {
  const [asked, setAsked] = useState(0)
  const [isLong, setLong] = useState(false)
  const read = async () => {
    const text = await readRecording()
    setLong(text !== undefined && text.length > FOLLOWED)
    return { text }
  }
  const { data, error } = useAnswer(`recording ${asked}`, read, { keep: true, once: isLong })
  return { text: data?.text, isLong, isKnown: data !== undefined, error, readAgain: () => setAsked(asked + 1) }
}

async function readRecording(): Promise<string | undefined> {
  // The recording is requested only if there is one, because browsers log each 404 as an error.
  const { recorded } = await api.status()
  if (!recorded) return undefined
  try {
    return await api.recording.read()
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return undefined
    throw error
  }
}

const SAVED = 'Stopped the recording and saved the case'

type Props = ReturnType<typeof useRecording> & { about: CaseAbout | undefined }

export function RecordingPanel({ about, isKnown, error, readAgain }: Props) {
  const run = (work: () => Promise<unknown>) => work().finally(readAgain)
  const ended = about?.ended
  const startedAt = about && `${toSecond(about.start)} UTC`
  const save = async () => {
    const [name, text] = [`${world}.case.jsonl`, await api.recording.read()]
    download(name, text)
    await api.recording.stop()
    change({ file: new File([text], name) })
  }
  return (
    <section class="panel" aria-label="Recording">
      <div class="title-row">
        <span>
          {startedAt === undefined
            ? 'Record what happens in this world from now on. You can replay the resulting case. It contains no ' +
              'secrets that the server issued.'
            : ended
              ? `The recording that started at ${startedAt} ended because ${ended}.`
              : `Recording since ${startedAt}, by the world's clock.`}
        </span>
        <div class="buttons">
          {startedAt === undefined ? (
            <Button off={!isKnown} done="Started the recording" onClick={() => run(api.recording.start)}>
              Record
            </Button>
          ) : (
            <>
              <Button class="primary" done={ended ? 'Saved the case' : SAVED} onClick={() => run(save)}>
                {ended ? 'Save the case' : 'Stop and save the case'}
              </Button>
              <Ask
                label={ended ? 'Record again' : 'Discard recording'}
                question="Discard the recorded steps?"
                done={ended ? 'Started the recording' : 'Discarded the recording'}
                onYes={() => run(ended ? api.recording.start : api.recording.stop)}
              />
            </>
          )}
        </div>
      </div>
      <Refusal error={error} />
    </section>
  )
}
