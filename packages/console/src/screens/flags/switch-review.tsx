import { useQuery } from '@tanstack/react-query'
import { isOffSwitch } from '@telltale/core/changes/patch-config'
import { useMemo, useState } from 'react'
import type { Environment } from '../../api/environments.ts'
import { flagConfigQuery, type SavedConfig, type SaveOutcome } from '../../api/flag-configs.ts'
import type { DescribedFlag } from '../../api/flags.ts'
import type { Problem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Skeleton, Trouble } from '../../ui/states.tsx'
import { draftOf } from './targeting/draft.ts'
import { ReviewChanges } from './targeting/review-changes.tsx'
import { savedFirst } from './targeting/saved-first.ts'
import { TargetingContext, targetingOfReview } from './targeting/targeting-context.ts'
import { useSaving } from './targeting/use-saving.ts'

export interface SwitchWish {
  readonly flag: DescribedFlag
  readonly enabled: boolean
}

type SwitchReviewProps = {
  project: string
  environment: Environment
  wish: SwitchWish
  onSaved: (outcome: SaveOutcome) => void
  onClose: () => void
}

/** The effect of turning a flag on or off, based on the currently saved configuration. */
export function SwitchReview(props: SwitchReviewProps) {
  const { project, environment, wish, onClose } = props
  const place = { project, env: environment.key, flag: wish.flag.key }
  const config = useQuery({ ...flagConfigQuery(place), staleTime: 0 })

  if (config.data && !(config.isFetching && config.isStale)) return <Review {...props} config={config.data} />
  return (
    <Dialog title={titleOf(wish, environment)} onClose={onClose}>
      {config.error ? <Trouble error={config.error} onRetry={() => void config.refetch()} /> : <Skeleton />}
    </Dialog>
  )
}

function Review({
  project,
  environment,
  wish,
  config,
  onSaved,
  onClose,
}: SwitchReviewProps & { config: SavedConfig }) {
  const { key, variations } = wish.flag
  const place = useMemo(() => ({ project, env: environment.key, flag: key }), [project, environment.key, key])
  const [base, setBase] = useState(config)
  const [trouble, setTrouble] = useState<Problem | null>(null)
  const before = draftOf(base)
  const after = { ...before, enabled: wish.enabled }
  const mayChangeProtected = useMay('flags.change-protected', environment.key)
  const needsApproval = environment.approvalRequired && !(mayChangeProtected && isOffSwitch(before, after))
  const { save, isSaving, problem } = useSaving({
    place,
    onSaved,
    onConflict: (theirs) => {
      setBase(theirs)
      setTrouble(savedFirst)
    },
    onRefused: (refused) => setTrouble(refused.problem),
  })
  const targeting = targetingOfReview({ place, envName: environment.name, variations })

  return (
    <TargetingContext value={targeting}>
      <ReviewChanges
        title={titleOf(wish, environment)}
        cancel="Cancel"
        environment={environment}
        before={before}
        after={after}
        needsApproval={needsApproval}
        busy={isSaving}
        problem={problem ?? trouble}
        onConfirm={(reason) => save({ draft: after, version: base.version, reason })}
        onClose={onClose}
      />
    </TargetingContext>
  )
}

function titleOf({ flag, enabled }: SwitchWish, environment: Environment): string {
  return `Turn ${enabled ? 'on' : 'off'} ${flag.key} in ${environment.name}`
}
