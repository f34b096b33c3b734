import type { FunnelStep } from '../../api/funnels.ts'
import { ShareBar } from '../../charts/share-bar.tsx'
import { shareText } from '../../ui/text/measure-text.ts'

type ShareWithIntervalProps = { of: FunnelStep['ofFirst']; label: string; hasBar?: boolean }

/** A share, and its 95% interval as a bar. */
export function ShareWithInterval({ of, label, hasBar = true }: ShareWithIntervalProps) {
  if (of === null) return <span className="text-text-3">–</span>
  const interval = `${shareText(of.lower)} to ${shareText(of.upper)}`
  return (
    <span className="inline-flex items-center gap-8" title={`95% interval: ${interval}`}>
      {hasBar && <ShareBar {...of} width={88} label={`${label}: ${shareText(of.share)}, ${interval}`} />}
      <span className="min-w-48 text-right tabular-nums">{shareText(of.share)}</span>
    </span>
  )
}
