import type { Funnel } from '../../api/funnels.ts'
import { countText } from '../../ui/text/measure-text.ts'

type ExcludedNoteProps = { excluded: Funnel['excluded']; unit: string; of?: 'step' | 'event' }

/** Who is in no variation, and why. */
export function ExcludedNote({ excluded, unit, of = 'step' }: ExcludedNoteProps) {
  if (excluded === null) return null
  const { mixed, unexposed } = excluded
  return (
    <span>
      In no variation: {countText(mixed)} {unit} with several variations, {countText(unexposed)} not exposed
      by the first {of}.
    </span>
  )
}
