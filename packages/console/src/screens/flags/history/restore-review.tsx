import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isOffSwitch } from '@telltale/core/changes/patch-config'
import { isSame } from '@telltale/core/changes/same'
import { useState } from 'react'
import { type ConfigRef, flagConfigQuery, type SavedConfig } from '../../../api/flag-configs.ts'
import { flagsKey, restoreVersion, versionQuery } from '../../../api/flags.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { Problem, toProblem } from '../../../api/problem.ts'
import { endingEvidence } from '../../../features/rollout/ending-evidence.ts'
import { useMay } from '../../../shell/account.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Skeleton, Trouble } from '../../../ui/states.tsx'
import { useFlag } from '../flag-context.ts'
import { type Draft, draftOf } from '../targeting/draft.ts'
import { ReviewChanges } from '../targeting/review-changes.tsx'
import { savedFirst } from '../targeting/saved-first.ts'
import { TargetingContext, targetingOfReview } from '../targeting/targeting-context.ts'
import { useShowProposed } from '../use-switching.tsx'

type RestoreReviewProps = {
  place: ConfigRef
  version: number
  onDone: () => void
  onClose: () => void
}

const restore = endingEvidence(restoreVersion)

/** The effect of restoring an old version on current users. */
export function RestoreReview(props: RestoreReviewProps) {
  const { place, version, onClose } = props
  const config = useQuery({ ...flagConfigQuery(place), staleTime: 0 })
  const old = useQuery(versionQuery(place, version))
  const error = config.error ?? old.error

  if (config.data && old.data && !error) {
    return <Review {...props} config={config.data} after={draftOf(old.data.config)} />
  }
  return (
    <Dialog title={`Restore version ${version} of ${place.flag}`} onClose={onClose}>
      {error ? (
        <Trouble error={error} onRetry={() => void Promise.all([config.refetch(), old.refetch()])} />
      ) : (
        <Skeleton />
      )}
    </Dialog>
  )
}

function Review(props: RestoreReviewProps & { config: SavedConfig; after: Draft }) {
  const { place, version, config, after, onDone, onClose } = props
  const { environment } = useScope()
  const { variations } = useFlag()
  const [idempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const showProposed = useShowProposed()
  const before = draftOf(config)
  const mayChangeProtected = useMay('flags.change-protected', environment.key)
  const needsApproval =
    environment.approvalRequired &&
    !isSame(before, after) &&
    !(mayChangeProtected && isOffSwitch(before, after))
  const restoring = useMutation({
    mutationFn: restore,
    onSuccess: async (outcome) => {
      onDone()
      if (outcome.kind === 'proposed') showProposed(outcome.opened)
      else showToast({ text: `Version ${version} restored as version ${outcome.config.version}.` })
      await queryClient.invalidateQueries({ queryKey: flagsKey(place.project) })
    },
    onError: async (error) => {
      if (toProblem(error).is('version-conflict')) {
        await queryClient.invalidateQueries({ queryKey: flagConfigQuery(place).queryKey })
      }
    },
  })
  const targeting = targetingOfReview({ place, envName: environment.name, variations })

  return (
    <TargetingContext value={targeting}>
      <ReviewChanges
        title={`Restore version ${version} of ${place.flag} in ${environment.name}`}
        cancel="Cancel"
        environment={environment}
        before={before}
        after={after}
        needsApproval={needsApproval}
        busy={restoring.isPending}
        problem={restoring.error && inWords(toProblem(restoring.error))}
        onConfirm={(reason) =>
          restoring.mutate({
            place,
            version,
            current: config.version,
            reason,
            idempotencyKey: `${idempotencyKey}-${config.version}`,
          })
        }
        onClose={onClose}
      />
    </TargetingContext>
  )
}

/** This dialog has no fields to attach faults to, so faults such as a deleted segment or flag are listed here. */
function inWords(problem: Problem): Problem {
  if (problem.is('version-conflict')) return savedFirst
  if (problem.errors.length === 0) return problem
  return new Problem({
    code: problem.code,
    title: problem.title,
    detail: problem.errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; '),
    requestId: problem.requestId,
  })
}
