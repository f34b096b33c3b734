import type { ChangeRequestState } from '@telltale/core/states/change-request'
import { Badge } from '../../ui/tag.tsx'
import type { ScheduledState } from './change-requests-search.ts'

type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'accent'

export const requestWords: Record<ChangeRequestState, { word: string; tone: Tone; means: string }> = {
  open: {
    word: 'Waiting for approval',
    tone: 'warn',
    means: 'A maintainer or admin other than the author must approve it.',
  },
  approved: {
    word: 'Approved',
    tone: 'ok',
    means: 'Nothing has changed yet. A maintainer or admin applies it.',
  },
  conflicted: {
    word: 'Conflict',
    tone: 'bad',
    means: 'The flag was changed in the meantime. The author must rebase or withdraw the request.',
  },
  applied: { word: 'Applied', tone: 'plain', means: 'The change is live.' },
  declined: { word: 'Declined', tone: 'plain', means: 'A reviewer declined it. Nothing changed.' },
  withdrawn: { word: 'Withdrawn', tone: 'plain', means: 'The author withdrew it. Nothing changed.' },
}

export const scheduledWords: Record<ScheduledState, { word: string; tone: Tone }> = {
  pending: { word: 'Scheduled', tone: 'accent' },
  applied: { word: 'Applied', tone: 'plain' },
  failed: { word: 'Failed', tone: 'bad' },
  cancelled: { word: 'Cancelled', tone: 'plain' },
}

export function StateBadge({ of }: { of: { word: string; tone: Tone } }) {
  return <Badge tone={of.tone}>{of.word}</Badge>
}
