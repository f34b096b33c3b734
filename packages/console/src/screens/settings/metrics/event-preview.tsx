import { useQuery } from '@tanstack/react-query'
import { printFilter } from '@telltale/core/telemetry/filter'
import { type Exploration, exploreQuery } from '../../../api/explore.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { questionOf } from '../../../shell/use-question.ts'
import { countOf } from '../../../ui/measure-text.ts'
import { useSettled } from '../../../ui/use-settled.ts'

const week = '7d'
const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** Custom events that came lately, to choose from. */
export function useKnownEvents(): string[] {
  const { project, environment } = useScope()
  const question = questionOf({ project, env: environment.key, range: week }, '')
  const found = useQuery(exploreQuery(question, { kind: 'custom', measure: 'count', by: 'name', top: 50 }))
  return (found.data?.groups ?? []).flatMap(({ values }) => values?.slice(0, 1) ?? [])
}

/** What the event would have said in the last week. */
export function EventPreview({ event }: { event: string }) {
  const { environment } = useScope()
  const typed = event.trim()
  const name = useSettled(typed, typed)
  if (name === '') return null
  return (
    <p className="text-12 text-text-2" role="status">
      <Said name={name} /> Last 7 days in {environment.name}.
    </p>
  )
}

function Said({ name }: { name: string }) {
  const events = useMeasured(name, { measure: 'count' })
  const users = useMeasured(name, { measure: 'users' })
  const mean = useMeasured(name, { measure: 'mean', field: 'value' })
  if (events.error) return 'What came cannot be read at the moment.'
  if (!events.data || !users.data) return 'Looking…'
  if (events.data.total.events === 0) return 'No such event came: check the name, or send one.'
  const value = mean.data?.total.value
  return (
    <>
      {countOf(events.data.total.events, 'event')} of {countOf(users.data.total.value ?? 0, 'user')}
      {value != null && `, mean value ${digits.format(value)}`}.
    </>
  )
}

function useMeasured(name: string, exploration: Exploration) {
  const { project, environment } = useScope()
  const filter = printFilter({
    chips: [{ field: 'name', key: '', operator: 'is', values: [name], isNegated: false }],
    words: [],
  })
  const question = questionOf({ project, env: environment.key, range: week }, filter)
  return useQuery(exploreQuery(question, { kind: 'custom', ...exploration }))
}
