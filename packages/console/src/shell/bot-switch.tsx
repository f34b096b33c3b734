import { useQuery } from '@tanstack/react-query'
import type { Filter } from '@telltale/core/query/filter'
import { botCountQuery } from '../api/facets.ts'
import type { Question } from '../api/question.ts'
import { Switch } from '../ui/form/choice.tsx'
import { fullCountText } from '../ui/text/measure-text.ts'

type BotSwitchProps = { question: Question; filter: Filter; onFilter: (filter: Filter) => void }

const isBots = ({ field }: Filter['chips'][number]) => field === 'bot'

/**
 * The number of matching events from self-identified bots, which lists exclude by default. Hidden if there are
 * none.
 */
export function BotSwitch({ question, filter, onFilter }: BotSwitchProps) {
  const asks = filter.chips.some(isBots)
  const { data: count = 0 } = useQuery(botCountQuery(question))
  if (count === 0 && !asks) return null
  const others = filter.chips.filter((chip) => !isBots(chip))
  const only: Filter['chips'][number] = {
    field: 'bot',
    key: '',
    operator: 'is',
    values: ['true'],
    isNegated: false,
  }
  return (
    <Switch
      label={asks ? 'Bots only' : `Bots: ${fullCountText(count)} ${count === 1 ? 'event' : 'events'} hidden`}
      checked={asks}
      onChecked={(checked) => onFilter({ ...filter, chips: checked ? [...others, only] : others })}
    />
  )
}
