import { useQuery } from '@tanstack/react-query'
import type { Environment } from '../../../api/environments.ts'
import { previewQuery, type RetentionDays, type RetentionPreview } from '../../../api/retention.ts'
import { Button } from '../../../ui/button.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import type { Refusal } from '../../../ui/refusal.ts'
import { Async } from '../../../ui/states.tsx'
import { bytesText, countOf, fullCountText } from '../../../ui/text/measure-text.ts'
import { dayText, kindWords } from './kind-words.ts'

type PreviewDialogProps = {
  place: { project: string; env: string }
  environment: Environment
  days: RetentionDays
  busy: boolean
  problem: Refusal | null
  onConfirm: () => void
  onClose: () => void
}

/** A shorter retention can only be saved after previewing what it deletes. */
export function PreviewDialog(props: PreviewDialogProps) {
  const { place, environment, days, busy, problem, onConfirm, onClose } = props
  const preview = useQuery(previewQuery(place, days))
  const rows = preview.data?.kinds.reduce((sum, one) => sum + one.rows, 0)
  return (
    <Dialog
      title={`Reduce retention of ${environment.name}`}
      description="Dry run: nothing has been deleted."
      size="wide"
      onClose={onClose}
      onSubmit={() => rows !== undefined && !busy && onConfirm()}
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button
            type="submit"
            look={rows === 0 ? 'primary' : 'danger-fill'}
            disabled={rows === undefined}
            busy={busy}
          >
            Save retention
          </Button>
        </>
      }
    >
      <ProblemNotice problem={problem} />
      <Async of={preview}>
        {({ kinds }) => (
          <>
            <p className="text-pretty">
              {rows === 0
                ? 'Nothing to delete.'
                : `The next nightly cleanup permanently deletes ${countOf(rows ?? 0, 'row')}.`}
            </p>
            <GoingTable kinds={kinds} now={environment.retentionDays} />
            <p className="text-12 text-text-3">
              Sizes are estimates based on the number of rows. Recordings are exact.
            </p>
          </>
        )}
      </Async>
    </Dialog>
  )
}

function GoingTable({ kinds, now }: { kinds: RetentionPreview['kinds']; now: Environment['retentionDays'] }) {
  const cell = 'px-8 py-6 align-top whitespace-nowrap'
  const head = 'px-8 py-4 font-regular'
  return (
    <table className="w-full border-collapse text-left tabular-nums">
      <thead className="text-12 text-text-3">
        <tr>
          <th className={head}>Kind</th>
          <th className={head}>Days</th>
          <th className={`${head} text-right`}>Rows</th>
          <th className={`${head} text-right max-wide:hidden`}>Sessions</th>
          <th className={`${head} text-right`}>Size</th>
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ kind, days, rows, sessions, bytes, firstDay }) => (
          <tr key={kind} className="border-line border-t">
            <th className="px-8 py-6 font-regular" scope="row">
              {kindWords[kind].label}
              <span className="block text-12 text-text-3">Kept from {dayText(firstDay)}</span>
            </th>
            <td className={cell}>{days === now[kind] ? days : `${now[kind]} → ${days}`}</td>
            <td className={`${cell} text-right`}>{fullCountText(rows)}</td>
            <td className={`${cell} text-right max-wide:hidden`}>
              {sessions === null ? '' : fullCountText(sessions)}
            </td>
            <td className={`${cell} text-right`}>{bytesText(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
