import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import type { Locked } from './ending-evidence.ts'

const partWords: Record<string, string> = {
  split: 'its split',
  conditions: 'the conditions of its rule',
  'rules-above': 'the rules above it',
  prerequisites: 'its prerequisites',
  segments: 'a segment it depends on',
  values: 'the values it compares',
}

/** Shown before a change to what a running rollout compares. */
export function EvidenceEnd({ locked: { rollouts, answer } }: { locked: Locked }) {
  const many = rollouts.length > 1
  return (
    <ConfirmDialog
      title={`This ends the evidence of ${many ? `${rollouts.length} running rollouts` : `the rollout of ${rollouts[0]?.flag}`}`}
      consequence={
        <div className="grid gap-8">
          <ul className="grid gap-4">
            {rollouts.map(({ id, flag, env, parts }) => (
              <li key={id} className="wrap-anywhere">
                <code>{flag}</code> in {env}: the change touches{' '}
                {parts.map((part) => partWords[part] ?? part).join(', ')}.
              </li>
            ))}
          </ul>
          <p>
            Data from before and after the change cannot be compared.{' '}
            {many ? 'The rollouts continue' : 'The rollout continues'} with the same users at the same stage
            and {many ? 'start' : 'starts'} collecting evidence again. Turning the flag off instead rolls back
            immediately.
          </p>
        </div>
      }
      verb="Save and restart evidence"
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    />
  )
}
