import { useMutation, useQueryClient } from '@tanstack/react-query'
import { actionsIn, type PersonalAction } from '@telltale/core/guard/act'
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

/** The first that is possible stands as a button beside the brake, the others in a menu. */
const offered: readonly Offered[] = [
  { action: 'start', label: 'Start', icon: 'session', look: 'primary' },
  { action: 'approve', label: 'Approve', icon: 'check', look: 'primary' },
  { action: 'resume', label: 'Resume', icon: 'session' },
  { action: 'pause', label: 'Pause' },
  { action: 'advance', label: 'Go to the next stage' },
  { action: 'finish', label: 'Finish now' },
  { action: 'begin-anew', label: 'Begin evidence anew' },
  { action: 'cancel', label: 'Call off' },
]

/** What somebody may do with a rollout now. Everything that reaches people is reviewed first. */
export function RolloutActions({ rollout }: { rollout: RolloutRow }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const mayStop = useMay('rollouts.stop')
  const mayChange = useMay('flags.change')
  const [asked, setAsked] = useState<PersonalAction>()
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const acting = useMutation({
    mutationFn: actOnRollout,
    onSuccess: () => setAsked(undefined),
    // Also after a refusal: the guard, or somebody, was faster.
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
    setAsked(action)
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
      {asked && (
        <ReviewDialog
          {...wordsOf(asked, rollout)}
          diff={null}
          reason={{ required: false, maxLength: limits.descriptionLength }}
          cancel="Cancel"
          busy={acting.isPending}
          problem={acting.error ? toProblem(acting.error) : null}
          onConfirm={(comment) =>
            acting.mutate({
              ...{ project, rollout: rollout.id, action: asked, turn: rollout.turn },
              ...{ comment, idempotencyKey },
            })
          }
          onClose={() => setAsked(undefined)}
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

/** What each of them means for people. */
function wordsOf(action: PersonalAction, rollout: RolloutRow): Words {
  const { flag, treatment, control, stages, stage, weight } = rollout
  const next = stages[stage + 1]?.weight
  const last = stages.at(-1)?.weight ?? 0
  switch (action) {
    case 'start':
      return {
        title: `Start the rollout of ${flag}`,
        consequence: `${treatment} goes to ${percent(stages[0]?.weight ?? 0)} of those who are divided here, and the guard begins to look. The split, and what stands above it, stay locked until it ends.`,
        verb: 'Start',
      }
    case 'roll-back':
      return {
        title: `Roll back ${flag}`,
        consequence: `Everybody who has ${treatment} (${percent(weight)} of those who are divided here) gets ${control} again, open browsers within seconds. The rollout is over then; a new one keeps the same people.`,
        verb: 'Roll back now',
      }
    case 'pause':
      return {
        title: `Pause the rollout of ${flag}`,
        consequence: `${treatment} stays at ${percent(weight)}. The guard still looks, and still rolls back.`,
        verb: 'Pause',
      }
    case 'resume':
      if (rollout.why === 'people-missing')
        return {
          title: `Continue the rollout of ${flag} at your own risk`,
          consequence: `${treatment} stays at ${percent(weight)} although users of it are not heard from. The guard keeps judging with wider intervals and asks again if many more go missing.`,
          verb: 'Continue at your own risk',
        }
      return {
        title: `Resume the rollout of ${flag}`,
        consequence: `It goes on from ${percent(weight)} when its metrics and its time allow.`,
        verb: 'Resume',
      }
    case 'advance':
      return {
        title: `Go to the next stage of ${flag}`,
        consequence: `${treatment} goes from ${percent(weight)} to ${percent(next ?? last)} now, whatever is undecided. What has regressed is accepted in your name.`,
        verb: 'Go on',
      }
    case 'approve':
      return {
        title: `Approve the next stage of ${flag}`,
        consequence: `${treatment} goes from ${percent(weight)} to ${percent(next ?? last)}.`,
        verb: 'Approve',
      }
    case 'finish':
      return {
        title: `Finish the rollout of ${flag}`,
        consequence: `${treatment} goes from ${percent(weight)} to ${percent(last)} at once, and the guard stops looking. What has regressed is accepted in your name.`,
        verb: 'Finish now',
      }
    case 'cancel':
      return {
        title: `Call off the rollout of ${flag}`,
        consequence: `Weights stay as they are: ${percent(weight)} keep ${treatment}. Nobody looks any more.`,
        verb: 'Call off',
      }
    case 'begin-anew':
      return {
        title: `Begin evidence of ${flag} anew`,
        consequence: 'The same people keep what they have. What was seen before no longer counts.',
        verb: 'Begin anew',
      }
  }
}
