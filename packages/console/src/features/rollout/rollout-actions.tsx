import { useMutation, useQueryClient } from '@tanstack/react-query'
import { actionsIn, isOnwards, type PersonalAction } from '@telltale/core/guard/act'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { actOnRollout, type RolloutRow } from '../../api/rollouts.ts'
import { useMay } from '../../shell/account.ts'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button, type ButtonLook, IconButton } from '../../ui/button.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import { ReviewDialog } from '../../ui/overlay/review-dialog.tsx'
import { percent } from './rollout-words.ts'

interface Offered {
  action: PersonalAction
  label: string
  icon?: IconName
  look?: ButtonLook
}

/** The first possible action is a button beside the brake, the others are in a menu. */
const offered: readonly Offered[] = [
  { action: 'start', label: 'Start', icon: 'session', look: 'primary' },
  { action: 'approve', label: 'Approve', icon: 'check', look: 'primary' },
  { action: 'resume', label: 'Resume', icon: 'session' },
  { action: 'pause', label: 'Pause' },
  { action: 'advance', label: 'Advance' },
  { action: 'finish', label: 'Complete now' },
  { action: 'begin-anew', label: 'Restart evidence' },
  { action: 'cancel', label: 'Cancel rollout' },
]

interface RolloutActionsProps {
  rollout: RolloutRow
  /** Why a draft cannot start yet. */
  startRefused?: string | undefined
}

/** The actions available on a rollout now. Each change that affects users is reviewed first. */
export function RolloutActions({ rollout, startRefused }: RolloutActionsProps) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const mayStop = useMay('rollouts.stop', rollout.env)
  const mayChange = useMay('flags.change', rollout.env)
  const [requested, setRequested] = useState<PersonalAction>()
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const acting = useMutation({
    mutationFn: actOnRollout,
    onSuccess: () => setRequested(undefined),
    // Also after a refusal: the guard or another member was faster.
    onSettled: () => {
      setKey(newIdempotencyKey())
      return queryClient.invalidateQueries({ queryKey: ['projects', project] })
    },
  })
  const isMissing = rollout.why === 'people-missing'
  const splitWrong = isMissing ? 'people-missing' : undefined
  const possible = actionsIn({ state: rollout.state, splitWrong }).filter((action) =>
    action === 'pause' || action === 'roll-back' ? mayStop : mayChange,
  )
  const open = (action: PersonalAction) => {
    acting.reset()
    setRequested(action)
  }
  const others = offered.filter(({ action }) => possible.includes(action))
  const [first, ...rest] = others
  const mayRollBack = possible.includes('roll-back')
  usePaletteEntries(
    mayRollBack
      ? [
          {
            id: 'roll-back',
            group: 'Do',
            icon: 'undo',
            label: `Roll back ${rollout.flag}…`,
            run: () => open('roll-back'),
          },
        ]
      : [],
  )
  if (possible.length === 0) return null

  return (
    <div className="flex flex-wrap gap-8 print:hidden">
      {mayRollBack && (
        <span className="grid grow">
          <Button look="danger" icon="undo" onClick={() => open('roll-back')}>
            Roll back now
          </Button>
        </span>
      )}
      {first && (
        <Button
          {...(first.look ? { look: first.look } : {})}
          {...(first.icon ? { icon: first.icon } : {})}
          disabled={first.action === 'start' && startRefused !== undefined}
          title={first.action === 'start' ? startRefused : undefined}
          onClick={() => open(first.action)}
        >
          {first.label}
        </Button>
      )}
      {rest.length > 0 && (
        <Menu align="end" trigger={<IconButton icon="more" label="More" />}>
          {rest.map(({ action, label }) => (
            <MenuItem key={action} onSelect={() => open(action)} danger={action === 'cancel'}>
              {label}…
            </MenuItem>
          ))}
        </Menu>
      )}
      {requested && (
        <ReviewDialog
          {...wordsOf(requested, rollout)}
          diff={null}
          reason={{
            required: rollout.why === 'budget-spent' && isOnwards(requested),
            maxLength: limits.descriptionLength,
          }}
          cancel="Cancel"
          busy={acting.isPending}
          problem={acting.error ? toProblem(acting.error) : null}
          onConfirm={(comment) =>
            acting.mutate({
              project,
              rollout: rollout.id,
              action: requested,
              turn: rollout.turn,
              comment,
              idempotencyKey,
            })
          }
          onClose={() => setRequested(undefined)}
        />
      )}
    </div>
  )
}

interface Words {
  title: string
  consequence: string
  verb: string
}

/** The effect of each action on users. */
function wordsOf(action: PersonalAction, rollout: RolloutRow): Words {
  const { flag, treatment, control, stages, stage, weight } = rollout
  const next = stages[stage + 1]?.weight
  const last = stages.at(-1)?.weight ?? 0
  switch (action) {
    case 'start':
      return {
        title: `Start the rollout of ${flag}`,
        consequence: `${treatment} goes to ${percent(stages[0]?.weight ?? 0)} of the users in this split, and the guard starts monitoring. The split and the rules above it are locked until the rollout ends.`,
        verb: 'Start',
      }
    case 'roll-back':
      return {
        title: `Roll back ${flag}`,
        consequence: `The ${treatment} in this rollout who get ${percent(weight)} return to ${control}. Open pages update within seconds. This ends the rollout; a new one starts with the same users.`,
        verb: 'Roll back now',
      }
    case 'pause':
      return {
        title: `Pause the rollout of ${flag}`,
        consequence: `${treatment} stays at ${percent(weight)}. The guard still rolls back.`,
        verb: 'Pause',
      }
    case 'resume':
      if (rollout.why === 'people-missing')
        return {
          title: `Continue the rollout of ${flag} at your own risk`,
          consequence: `${treatment} stays at ${percent(weight)} although some of its users send no telemetry. The guard continues with wider intervals and asks again if many more are missing.`,
          verb: 'Continue at your own risk',
        }
      return {
        title: `Resume the rollout of ${flag}`,
        consequence: `It continues from ${percent(weight)} once its metrics and duration allow.`,
        verb: 'Resume',
      }
    case 'advance':
      return {
        title: `Advance the rollout of ${flag}`,
        consequence: `${treatment} goes from ${percent(weight)} to ${percent(next ?? last)} now, even if metrics are undecided. You accept any regression so far.`,
        verb: 'Advance',
      }
    case 'approve':
      return {
        title: `Approve the next stage of ${flag}`,
        consequence: `${treatment} goes from ${percent(weight)} to ${percent(next ?? last)}.`,
        verb: 'Approve',
      }
    case 'finish':
      return {
        title: `Complete the rollout of ${flag}`,
        consequence: `${treatment} goes from ${percent(weight)} to ${percent(last)} now, and the guard stops monitoring. You accept any regression so far.`,
        verb: 'Complete now',
      }
    case 'cancel':
      return {
        title: `Cancel the rollout of ${flag}`,
        consequence: `Weights do not change: ${percent(weight)} keep ${treatment}. The guard stops monitoring.`,
        verb: 'Cancel rollout',
      }
    case 'begin-anew':
      return {
        title: `Restart the evidence of ${flag}`,
        consequence: 'Users keep their variation. Data collected so far no longer counts.',
        verb: 'Restart',
      }
  }
}
