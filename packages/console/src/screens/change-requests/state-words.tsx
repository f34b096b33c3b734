import { Badge } from '../../ui/tag.tsx'
import type { RequestState, ScheduledState } from './change-requests-search.ts'

type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'accent'

export const requestWords: Record<RequestState, { word: string; tone: Tone; means: string }> = {
  open: {
    word: 'Waits for approval',
    tone: 'warn',
    means: 'A maintainer or admin other than its author has to agree.',
  },
  approved: {
    word: 'Approved',
    tone: 'ok',
    means: 'Nothing has changed yet. A maintainer or admin applies it.',
  },
  conflicted: {
    word: 'In conflict',
    tone: 'bad',
    means: 'Somebody saved in between. Its author lays it over what is saved now, or withdraws it.',
  },
  applied: { word: 'Applied', tone: 'plain', means: 'It was saved.' },
  declined: { word: 'Declined', tone: 'plain', means: 'Somebody said no. Nothing changed.' },
  withdrawn: { word: 'Withdrawn', tone: 'plain', means: 'Its author took it back. Nothing changed.' },
}

export const scheduledWords: Record<ScheduledState, { word: string; tone: Tone }> = {
  pending: { word: 'Scheduled', tone: 'accent' },
  applied: { word: 'Applied', tone: 'plain' },
  failed: { word: 'Failed', tone: 'bad' },
  cancelled: { word: 'Called off', tone: 'plain' },
}

export function StateBadge({ of }: { of: { word: string; tone: Tone } }) {
  return <Badge tone={of.tone}>{of.word}</Badge>
}
