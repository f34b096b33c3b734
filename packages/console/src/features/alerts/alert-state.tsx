import type { Alert } from '../../api/alerts.ts'
import { Badge } from '../../ui/tag.tsx'
import { TimeUntil, useNow } from '../../ui/text/time.tsx'

/** State and mute, each with a shape and a word. */
export function AlertState({
  rule,
  state,
  seen,
  mutedUntil,
}: Pick<Alert, 'rule' | 'state' | 'seen' | 'mutedUntil'>) {
  const now = useNow()
  const isMuted = mutedUntil !== null && Date.parse(mutedUntil) > now
  return (
    <span className="inline-flex flex-wrap items-center gap-4">
      {rule.kind === 'events' ? (
        <Badge>○ Event-based</Badge>
      ) : state === 'firing' ? (
        <Badge tone="bad">◆ Firing</Badge>
      ) : state === 'ok' ? (
        <Badge tone="ok">● OK</Badge>
      ) : seen === null ? (
        <Badge>○ First evaluation within a minute</Badge>
      ) : (
        <Badge tone="warn">✕ No data</Badge>
      )}
      {isMuted && (
        <Badge>
          Muted, ends <TimeUntil at={mutedUntil} />
        </Badge>
      )}
    </span>
  )
}
