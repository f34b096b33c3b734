import { type Chip, printFilter } from '@telltale/core/query/filter'
import { ReplayMoments } from '../../../features/replays/replay-moments.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { questionOf } from '../../../shell/use-question.ts'
import { useFlag } from '../flag-context.ts'

/** As long as most decisions about a variation take. */
const range = '7d'

/** Those who read the variation, to watch: where something broke, and what the first of it was like. */
export function VariationReplays({ variation }: { variation: string }) {
  const { project, environment } = useScope()
  const { key } = useFlag()
  const read: Chip = { field: 'flag', key, operator: 'is', values: [variation], isNegated: false }
  const place = { project, env: environment.key, range } as const
  const question = questionOf(place, printFilter({ chips: [read], words: [] }))
  const note = (
    <>
      with <code>{variation}</code>, 7 days
    </>
  )
  return (
    <>
      <ReplayMoments
        title="Replays of errors"
        note={note}
        question={question}
        of="error"
        none="No recordings with errors."
      />
      <ReplayMoments
        title="Replays from first exposure"
        note={note}
        question={question}
        of="exposure"
        none="No recordings with this variation."
      />
    </>
  )
}
