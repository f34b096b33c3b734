import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Fault, toProblem } from '../../api/problem.ts'
import { type Segment, segmentsQuery, type UsedSegment, updateSegment } from '../../api/segments.ts'
import { BlastRadiusView } from '../../features/blast-radius/blast-radius-view.tsx'
import { endingEvidence } from '../../features/rollout/ending-evidence.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { DiffView } from '../../ui/diff/diff-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { changeOf, draftText, isSegment, type SegmentDraft } from './segment-draft.ts'
import { countFlags, usesText } from './segment-uses.ts'

const saveSegment = endingEvidence(updateSegment)

type SegmentReviewProps = {
  project: string
  segment: UsedSegment
  before: SegmentDraft
  after: SegmentDraft
  version: number
  onSaved: (saved: Segment) => void
  onConflict: (theirs: Segment) => void
  onFaults: (faults: readonly Fault[]) => void
  onClose: () => void
}

/** The effect on the flags that use the segment, and the diff, before saving. */
export function SegmentReview(props: SegmentReviewProps) {
  const { project, segment, before, after, version, onSaved, onConflict, onFaults, onClose } = props
  const queryClient = useQueryClient()
  const { environment } = useScope()
  const change = changeOf(before, after)
  const saving = useMutation({
    mutationFn: saveSegment,
    onSuccess: async (saved) => {
      onSaved(saved)
      showToast({ text: `${segment.key} saved as version ${saved.version}.` })
      await queryClient.invalidateQueries({ queryKey: segmentsQuery(project).queryKey })
    },
    onError: (error) => {
      const refused = toProblem(error)
      if (refused.is('version-conflict') && isSegment(refused.current)) onConflict(refused.current)
      else if (refused.errors.length > 0) onFaults(refused.errors)
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const reachesUsers = change.when !== undefined && segment.usedBy.length > 0

  return (
    <Dialog
      title={`Change segment ${segment.key}`}
      size="wide"
      onClose={onClose}
      onSubmit={() => !saving.isPending && saving.mutate({ project, segment: segment.key, change, version })}
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button type="submit" look="primary" busy={saving.isPending} autoFocus>
            Save segment
          </Button>
        </>
      }
    >
      {problem && (
        <Notice
          title={problem.permission === 'flags.change-protected' ? 'Requires a maintainer' : problem.title}
          detail={problem.detail}
          requestId={problem.requestId}
        />
      )}
      <p className="text-pretty">
        {reachesUsers ? (
          <>
            {countFlags(segment) === 1 ? '1 flag uses' : `${countFlags(segment)} flags use`} it:{' '}
            {usesText(segment)}. Users who enter or leave the segment are affected from the next evaluation.
          </>
        ) : change.when === undefined ? (
          'No user is affected: only name or description change.'
        ) : (
          'No flag uses it, so no user is affected yet.'
        )}
      </p>
      {reachesUsers && change.when !== undefined && (
        <BlastRadiusView
          project={project}
          env={environment.key}
          where={environment.name}
          change={{ segment: segment.key, when: change.when }}
        />
      )}
      <DiffView before={draftText(before)} after={draftText(after)} />
    </Dialog>
  )
}
