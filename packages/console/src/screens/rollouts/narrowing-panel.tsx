import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { type RolloutDetail, restoreSlice } from '../../api/rollouts.ts'
import { sliceText } from '../../features/rollout/rollout-words.ts'
import { useKnownMetrics } from '../../features/rollout/use-known-metrics.ts'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { ReviewDialog } from '../../ui/overlay/review-dialog.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Badge } from '../../ui/tag.tsx'
import { changeOf, intervalText } from '../../ui/text/effect-text.ts'
import { countOf, shareText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'

type Narrowing = NonNullable<RolloutDetail['narrowing']>
type Exclusion = Narrowing['excluded'][number]

/** What a rollout excludes, with the evidence, and how the probes are. */
export function NarrowingPanel({ rollout }: { rollout: RolloutDetail }) {
  const [restoring, setRestoring] = useState<Exclusion>()
  const mayChange = useMay('flags.change', rollout.env)
  const { narrowing, endedAt } = rollout
  if (narrowing === null || (endedAt !== null && narrowing.excluded.length === 0)) return null
  const { excluded, suspected, times, timesAtMost, searched, searchedAt } = narrowing
  return (
    <Panel
      title="Excluded slices"
      note={`${times} of ${timesAtMost} exclusions used`}
      footer={
        <>
          {countOf(searched, 'slice')} searched, last <Time at={searchedAt} none="not yet" />. Intervals are
          always valid and corrected for all slices.
        </>
      }
    >
      {suspected !== null && (
        <p className="pb-12 text-pretty font-medium text-warn">
          Harm in {sliceText(suspected.slice)} is likely. No stage ends until it is certain or unlikely.
        </p>
      )}
      {excluded.length === 0 ? (
        <p className="text-text-2">No slice is excluded.</p>
      ) : (
        <ul className="grid gap-16">
          {excluded.map((exclusion) => (
            <ExclusionItem
              key={exclusion.id}
              exclusion={exclusion}
              probeShare={narrowing.probeShare}
              onRestore={mayChange && endedAt === null ? () => setRestoring(exclusion) : undefined}
            />
          ))}
        </ul>
      )}
      {restoring && (
        <RestoreDialog rollout={rollout} exclusion={restoring} onClose={() => setRestoring(undefined)} />
      )}
    </Panel>
  )
}

const probeLooks = {
  collecting: { label: 'Waiting for data', tone: 'plain' },
  watching: { label: 'Not sure yet', tone: 'plain' },
  healthy: { label: 'Probe healthy', tone: 'ok' },
  regressed: { label: 'Still harmed', tone: 'bad' },
  gone: { label: 'Not measured', tone: 'warn' },
} as const

type ExclusionItemProps = {
  exclusion: Exclusion
  probeShare: number
  onRestore: (() => void) | undefined
}

function ExclusionItem({ exclusion, probeShare, onRestore }: ExclusionItemProps) {
  const { nameOf, find } = useKnownMetrics()
  const { slice, metric, harm, elsewhere, share, since, until, probe } = exclusion
  const better = find(metric)?.better ?? 'lower'
  const change = (of: Exclusion['harm']) => (of === null ? 'unknown' : intervalText(changeOf(of, better)))
  const { label, tone } = probeLooks[probe?.state ?? 'collecting']
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <span className="flex min-w-0 flex-wrap items-center justify-between gap-x-12 gap-y-4">
        <span className="flex min-w-0 flex-wrap items-center gap-8">
          <strong className="min-w-0 font-strong [overflow-wrap:anywhere]">{sliceText(slice)}</strong>
          <Badge tone={tone}>{label}</Badge>
        </span>
        {onRestore && (
          <span className="print:hidden">
            <Button icon="undo" onClick={onRestore}>
              Let back
            </Button>
          </span>
        )}
      </span>
      <span className="text-pretty">
        {nameOf(metric)}: {change(harm)} in this slice, {change(elsewhere)} elsewhere.
      </span>
      <span className="text-pretty text-12 text-text-2">
        {shareText(share)} of users, excluded since <Time at={since} />, until <Time at={until} /> unless its
        probe is healthy earlier.
      </span>
      <span className="text-pretty text-12 text-text-3">
        Probe, {shareText(probeShare)} of the slice:{' '}
        {probe === null
          ? 'no search yet.'
          : `${change(probe.harm)}, ${countOf(probe.units.treatment, 'user')} and ${countOf(probe.units.control, 'user')} so far.`}
      </span>
    </li>
  )
}

type RestoreDialogProps = { rollout: RolloutDetail; exclusion: Exclusion; onClose: () => void }

function RestoreDialog({ rollout, exclusion, onClose }: RestoreDialogProps) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const restoring = useMutation({
    mutationFn: restoreSlice,
    onSuccess: onClose,
    onSettled: () => {
      setKey(newIdempotencyKey())
      return queryClient.invalidateQueries({ queryKey: ['projects', project] })
    },
  })
  const { flag, treatment } = rollout
  const slice = sliceText(exclusion.slice)
  return (
    <ReviewDialog
      title={`Let ${slice} back`}
      consequence={`These users get ${treatment} again by their share of the split of ${flag}. The guard does not exclude this slice again in this rollout; it still rolls back.`}
      verb="Let back"
      diff={null}
      reason={{ required: false, maxLength: limits.descriptionLength }}
      cancel="Cancel"
      busy={restoring.isPending}
      problem={restoring.error ? toProblem(restoring.error) : null}
      onConfirm={(comment) =>
        restoring.mutate({
          ...{ project, rollout: rollout.id, exclusion: exclusion.id, turn: rollout.turn },
          ...{ comment, idempotencyKey },
        })
      }
      onClose={onClose}
    />
  )
}
