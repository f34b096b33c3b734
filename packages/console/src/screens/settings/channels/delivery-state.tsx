import type { DeliveryRow } from '../../../api/channels.ts'
import { Badge } from '../../../ui/tag.tsx'

export const deliveryWords = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  withheld: 'Withheld',
} as const

export function DeliveryState({ state, tries }: Pick<DeliveryRow, 'state' | 'tries'>) {
  if (state === 'delivered') return <Badge tone="ok">● Delivered</Badge>
  if (state === 'failed') return <Badge tone="bad">◆ Failed</Badge>
  if (state === 'withheld') return <Badge tone="warn">▲ Withheld</Badge>
  return tries === 0 ? <Badge>○ Waiting</Badge> : <Badge tone="warn">▲ Retrying</Badge>
}
