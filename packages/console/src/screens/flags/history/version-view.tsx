import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConfigRef } from '../../../api/flag-configs.ts'
import { type ConfigVersion, versionQuery } from '../../../api/flags.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfigDiff } from '../../../ui/diff/diff-view.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton, Trouble } from '../../../ui/states.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { useFlag } from '../flag-context.ts'
import { draftOf } from '../targeting/draft.ts'
import { useRights } from '../targeting/use-rights.ts'
import { RestoreReview } from './restore-review.tsx'
import { authorOf } from './version-list.tsx'

type VersionViewProps = {
  place: ConfigRef
  version: number
  /** The compared version; 0 for none. */
  against: number
  newest: number
  known: readonly ConfigVersion[]
  onAgainst: (version: number) => void
  onRestored: () => void
}

/** The diff of a version, and the button to restore it. */
export function VersionView(props: VersionViewProps) {
  const { place, version, against, newest, known, onAgainst } = props
  const [restored, setRestored] = useState<number>()
  const shown = useQuery(versionQuery(place, version))
  const other = useQuery({ ...versionQuery(place, against), enabled: against > 0 })
  const error = shown.error ?? other.error
  const others = known.filter((one) => one.version !== version)

  return (
    <Panel
      title={`Version ${version}`}
      note={
        shown.data && (
          <>
            <Time at={shown.data.savedAt} /> by {authorOf(shown.data)}
          </>
        )
      }
      actions={
        others.length > 0 && (
          <span className="flex items-center gap-8 text-12 text-text-2">
            vs
            <span className="w-[22ch]">
              <Select
                label="Compare with"
                hideLabel
                options={[
                  ...(others.some((one) => one.version === against)
                    ? []
                    : [{ value: String(against), label: against > 0 ? `Version ${against}` : 'Nothing' }]),
                  ...others.map((one) => ({
                    value: String(one.version),
                    label: `Version ${one.version}${one.version === newest ? ' (current)' : ''}`,
                  })),
                ]}
                value={String(against)}
                onValue={(value) => onAgainst(Number(value))}
              />
            </span>
          </span>
        )
      }
    >
      {error ? (
        <Trouble error={error} onRetry={() => void Promise.all([shown.refetch(), other.refetch()])} />
      ) : shown.data && (against <= 0 || other.data) ? (
        <div className="grid min-w-0 gap-12">
          <p className="text-pretty break-words text-text-2">
            {shown.data.reason ?? (version === 1 ? 'Initial version.' : 'No reason given.')}
          </p>
          <ConfigDiff
            before={other.data && draftOf(other.data.config)}
            after={draftOf(shown.data.config)}
            label={against > 0 ? `From version ${against} to version ${version}` : 'Initial version'}
          />
          <RestoreButton version={version} newest={newest} onRestore={setRestored} />
        </div>
      ) : (
        <Skeleton rows={6} />
      )}
      {restored !== undefined && (
        <RestoreReview
          place={place}
          version={restored}
          onDone={() => {
            setRestored(undefined)
            props.onRestored()
          }}
          onClose={() => setRestored(undefined)}
        />
      )}
    </Panel>
  )
}

type RestoreButtonProps = { version: number; newest: number; onRestore: (version: number) => void }

/** The current version is reverted; an older one is restored. */
function RestoreButton({ version, newest, onRestore }: RestoreButtonProps) {
  const { environment } = useScope()
  const flag = useFlag()
  const { readOnly } = useRights(environment, flag.archivedAt !== null)
  const isCurrent = version === newest
  const to = isCurrent ? version - 1 : version
  if (to < 1) return null

  return (
    <div className="flex flex-wrap items-center gap-12 border-line border-t pt-12">
      <Button icon="undo" disabled={readOnly !== undefined} onClick={() => onRestore(to)}>
        {isCurrent ? 'Revert this change…' : `Restore version ${version}…`}
      </Button>
      <span className="min-w-0 flex-1 text-12 text-text-3">
        {readOnly ?? `It is saved as a new version. The history stays unchanged.`}
      </span>
    </div>
  )
}
