import { sharesText } from '@telltale/core/changes/config-text'
import { RolloutBar } from '../../../ui/rollout-bar.tsx'
import { Variation } from '../../../ui/variation.tsx'
import { defaultBy, type ServeDraft } from './draft.ts'
import { useTargeting } from './targeting-context.ts'

/** The serve, read-only. */
export function ServeView({ serve }: { serve: ServeDraft }) {
  const { variations } = useTargeting()
  const order = (key: string) => variations.findIndex((variation) => variation.key === key)
  if ('variation' in serve) {
    return (
      <span className="inline-flex min-w-0 items-center gap-8">
        <span className="text-text-3">serve</span>
        <Variation order={order(serve.variation)} label={serve.variation} isKey />
      </span>
    )
  }
  return (
    <span className="grid w-[32ch] max-w-full gap-2">
      <RolloutBar
        text={sharesText(serve)}
        shares={serve.split.map(({ variation, weight }) => ({
          order: order(variation),
          label: variation,
          weight: weight || 0,
        }))}
      />
      {serve.by !== defaultBy && (
        <span className="truncate text-12 text-text-3">
          split by <code>{serve.by}</code>
        </span>
      )}
    </span>
  )
}
