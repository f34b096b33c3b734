import { useQuery } from '@tanstack/react-query'
import { type Sampling, samplingsQuery } from '../../api/quotas.ts'
import { Notice } from '../../ui/notice.tsx'
import { sampledText } from './sampled-text.ts'

interface SampledNoticeProps {
  place: { project: string; env: string }
  /** Instants; without bounds, the last 30 days. */
  period: { from?: string; to?: string }
}

/** Says that data of the period is a sample of sessions. Nothing when it is complete. */
export function SampledNotice({ place, period }: SampledNoticeProps) {
  const samplings = useQuery(samplingsQuery(place, period))
  const sampled = (samplings.data?.items ?? []).filter(({ share }) => share < 1)
  if (sampled.length === 0) return null
  return <Notice tone="warn" title={titleOf(sampled)} detail={sampledText(sampled)} />
}

const titleOf = (sampled: readonly Sampling[]) =>
  sampled.some(({ endedAt }) => endedAt === null)
    ? 'Only some sessions are stored now'
    : 'Only some sessions of this period are stored'
