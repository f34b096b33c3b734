import { useEffect, useRef, useState } from 'react'
import { type ErasedPerson, exportPerson } from '../../../api/privacy.ts'
import { toProblem } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { countOf } from '../../../ui/text/measure-text.ts'

type State = { kind: 'idle' } | { kind: 'reading'; rows: number } | { kind: 'failed'; error: unknown }
type ExportProps = { place: { project: string; env: string }; person: ErasedPerson; disabled: boolean }

/** Exports all data of a user as a file. May take long, and can be cancelled. */
export function useExport({ place, person, disabled }: ExportProps) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const reading = useRef<AbortController>(undefined)
  useEffect(() => () => reading.current?.abort(), [])

  async function begin() {
    const controller = new AbortController()
    const { signal } = controller
    reading.current = controller
    setState({ kind: 'reading', rows: 0 })
    try {
      const onRows = (rows: number) => setState({ kind: 'reading', rows })
      const lines = await exportPerson({ ...place, person, signal, onRows })
      setState({ kind: 'idle' })
      if (lines.length === 0) {
        showToast({ text: 'No data of this user.' })
        return
      }
      // File names stay in histories: do not include the user's key.
      saveFile(`person-${place.env}.ndjson`, `${lines.join('\n')}\n`, 'application/x-ndjson')
      showToast({ text: `${countOf(lines.length, 'line')} exported.` })
    } catch (error) {
      setState(signal.aborted ? { kind: 'idle' } : { kind: 'failed', error })
    }
  }

  const isReading = state.kind === 'reading'
  const problem = state.kind === 'failed' ? toProblem(state.error) : undefined
  return {
    button: (
      <Button onClick={() => void begin()} disabled={disabled} busy={isReading}>
        Export
      </Button>
    ),
    status: (
      <>
        {isReading && (
          <p role="status" className="flex flex-wrap items-center gap-8 text-text-2">
            {countOf(state.rows, 'row')} so far
            <Button size="small" onClick={() => reading.current?.abort()}>
              Cancel
            </Button>
          </p>
        )}
        <ProblemNotice problem={problem} />
      </>
    ),
  }
}
