import type { Lifecycle } from '../../api/flags.ts'
import { useMaybeScope } from '../../shell/scope-context.ts'
import { Badge } from '../../ui/tag.tsx'
import { useNow } from '../../ui/text/time.tsx'
import { lifecycleProof, lifecycleText } from './flag-words.ts'

const tones = {
  new: 'plain',
  live: 'plain',
  'rolled-out': 'plain',
  stale: 'dashed',
  archived: 'plain',
} as const

/** The lifecycle state of a flag, with the reason on hover. */
export function LifecycleBadge({ lifecycle }: { lifecycle: Lifecycle }) {
  const now = useNow()
  const env = useMaybeScope()?.environments.find(({ key }) => key === lifecycle.env)
  return (
    <span title={lifecycleProof(lifecycle, env?.name)} className="inline-flex min-w-0 max-w-full">
      <Badge tone={tones[lifecycle.state]} shrinks>
        {lifecycleText(lifecycle, now)}
      </Badge>
    </span>
  )
}
