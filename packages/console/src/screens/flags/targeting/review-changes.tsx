import { useQuery } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import type { Environment } from '../../../api/environments.ts'
import { evaluatedTodayQuery } from '../../../api/flag-configs.ts'
import type { Problem } from '../../../api/problem.ts'
import { runningRolloutsQuery } from '../../../api/rollouts.ts'
import { BlastRadiusView } from '../../../features/blast-radius/blast-radius-view.tsx'
import { ConfigDiff } from '../../../ui/diff/diff-view.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ReviewDialog } from '../../../ui/overlay/review-dialog.tsx'
import { consequenceOf } from './consequence.ts'
import { countChanges, type Draft } from './draft.ts'
import { useTargeting } from './targeting-context.ts'

type ReviewChangesProps = {
  /** Default: the number of changes, the flag and the environment. */
  title?: string
  /** The cancel label, where nothing is edited. */
  cancel?: string
  environment: Environment
  before: Draft
  after: Draft
  /** Saving creates a change request, for this account and this change. */
  needsApproval: boolean
  /** The reason of a refused save. */
  startReason?: string
  busy: boolean
  problem: Problem | null
  onConfirm: (reason: string) => void
  onClose: () => void
}

/** Consequence, diff and reason, before a change reaches users. */
export function ReviewChanges(props: ReviewChangesProps) {
  const {
    environment,
    before,
    after,
    needsApproval,
    startReason = '',
    busy,
    problem,
    onConfirm,
    onClose,
  } = props
  const { place } = useTargeting()
  const count = countChanges(before, after)
  return (
    <ReviewDialog
      title={
        props.title ??
        `Review ${count === 1 ? '1 change' : `${count} changes`} of ${place.flag} in ${environment.name}`
      }
      {...(props.cancel === undefined ? {} : { cancel: props.cancel })}
      consequence={<ConsequenceView before={before} after={after} />}
      diff={<ConfigDiff before={before} after={after} />}
      reason={{ required: environment.protected, maxLength: limits.descriptionLength, start: startReason }}
      approval={
        needsApproval
          ? `Requires approval by a second maintainer before it is saved to ${environment.name}.`
          : undefined
      }
      verb={needsApproval ? `Request approval` : `Save to ${environment.name}`}
      busy={busy}
      problem={problem}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}

/** Who gets a different variation, and how often the flag was evaluated in a day. */
export function ConsequenceView({ before, after }: { before: Draft; after: Draft }) {
  const { place, envName, variations } = useTargeting()
  const evaluated = useQuery(evaluatedTodayQuery(place))
  const running = useQuery(runningRolloutsQuery(place))
  const { headline, sentences: ofConfig, reaches } = consequenceOf(before, after)
  const ended = before.enabled && !after.enabled ? (running.data ?? []) : []
  const sentences = [
    ...ofConfig,
    ...ended.map(() => 'Its rollout is rolled back: all users return to the control.'),
  ]
  const count = evaluated.data
  return (
    <div className="grid gap-12">
      <Notice
        tone={reaches ? 'warn' : 'info'}
        title={headline}
        detail={
          <>
            {sentences.length > 0 && (
              <ul className="grid gap-2 break-words">
                {sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            )}
            {reaches && count !== undefined && (
              <p className="pt-4">
                {count === 0
                  ? 'Not evaluated here in the last 24 h.'
                  : `Evaluated ${count.toLocaleString('en-GB')} times here in the last 24 h.`}
              </p>
            )}
          </>
        }
      />
      {reaches && (
        <BlastRadiusView
          project={place.project}
          env={place.env}
          where={envName}
          change={{ flag: place.flag, draft: after }}
          variations={variations}
        />
      )}
    </div>
  )
}
