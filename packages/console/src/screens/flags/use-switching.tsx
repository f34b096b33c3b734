import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { OpenedChangeRequest } from '@telltale/core/contract/change-requests'
import { type ReactNode, useState } from 'react'
import type { Environment } from '../../api/environments.ts'
import { type SaveOutcome, saveFlagConfig } from '../../api/flag-configs.ts'
import { type DescribedFlag, flagsKey, readConfig } from '../../api/flags.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { endingEvidence } from '../../features/rollout/ending-evidence.ts'
import { isUnderGuard } from '../../features/telltale/telltale-words.ts'
import { useTelltales } from '../../features/telltale/use-telltale.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { SwitchReview, type SwitchWish } from './switch-review.tsx'
import { draftOf } from './targeting/draft.ts'

export interface Switching {
  /** Turns the flag on or off in the environment of the screen, through the review if one is required. */
  readonly turn: (flag: DescribedFlag, enabled: boolean) => void
  /** Pending: the state the switch shows meanwhile. */
  readonly pending: { readonly key: string; readonly enabled: boolean } | undefined
  readonly dialog: ReactNode
  readonly trouble: ReactNode
}

/** The switch of a flag outside its targeting. Unprotected environments are switched immediately, with undo. */
export function useSwitching(): Switching {
  const { project, environment } = useScope()
  const [wish, setWish] = useState<SwitchWish>()
  const queryClient = useQueryClient()
  const showProposed = useShowProposed()
  const telltales = useTelltales()
  const switching = useMutation({
    mutationFn: switchFlag,
    onSuccess: async (outcome, { flag, enabled }) => {
      await queryClient.invalidateQueries({ queryKey: flagsKey(project) })
      if (outcome === undefined) return
      if (outcome.kind === 'proposed') return showProposed(outcome.opened)
      const isGuarded = telltales?.some((one) => one.flag === flag.key && isUnderGuard(one))
      const end = !enabled && isGuarded ? ' Its rollout was rolled back.' : ''
      showToast({
        text: `${flag.key} is ${enabled ? 'on' : 'off'} in ${environment.name}.${end}`,
        undo: () => switching.mutate({ project, environment, flag, enabled: !enabled }),
      })
    },
  })
  const needsReview = environment.protected || environment.approvalRequired
  const problem = switching.error && toProblem(switching.error)

  return {
    turn: (flag, enabled) => {
      if (needsReview) setWish({ flag, enabled })
      else if (!switching.isPending) switching.mutate({ project, environment, flag, enabled })
    },
    pending: switching.isPending
      ? { key: switching.variables.flag.key, enabled: switching.variables.enabled }
      : undefined,
    trouble: problem && (
      <Notice
        title={`${switching.variables?.flag.key} was not changed: ${problem.title}`}
        detail={problem.detail}
        requestId={problem.requestId}
        action={<Button onClick={() => switching.reset()}>Close</Button>}
      />
    ),
    dialog: wish && (
      <SwitchReview
        project={project}
        environment={environment}
        wish={wish}
        onSaved={(outcome) => {
          setWish(undefined)
          if (outcome.kind === 'proposed') showProposed(outcome.opened)
          else
            showToast({ text: `${wish.flag.key} is ${wish.enabled ? 'on' : 'off'} in ${environment.name}.` })
        }}
        onClose={() => setWish(undefined)}
      />
    ),
  }
}

/** The message about a change that waits for approval, with a link to it. */
export function useShowProposed(): (opened: OpenedChangeRequest) => void {
  const { project } = useScope()
  const navigate = useNavigate()
  return ({ changeRequest: { id } }) =>
    showToast({
      text: 'Change request opened. The change is saved once another member approves it.',
      action: {
        label: 'Show request',
        run: () =>
          void navigate({
            to: '/p/$project/change-requests/$changeRequest',
            params: { project, changeRequest: id },
          }),
      },
    })
}

/** Based on the currently saved version, not on the list's. Undefined if nothing changes. */
async function switchFlag(requested: {
  project: string
  environment: Environment
  flag: DescribedFlag
  enabled: boolean
}): Promise<SaveOutcome | undefined> {
  const place = { project: requested.project, env: requested.environment.key, flag: requested.flag.key }
  const config = await readConfig(place)
  if (config.enabled === requested.enabled) return undefined
  return endingEvidence(saveFlagConfig)({
    place,
    draft: { ...draftOf(config), enabled: requested.enabled },
    version: config.version,
    reason: '',
    idempotencyKey: newIdempotencyKey(),
  })
}
