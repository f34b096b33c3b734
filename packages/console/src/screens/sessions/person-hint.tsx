import { type Chip, type Filter, printChip } from '@telltale/core/query/filter'
import { Button } from '../../ui/button.tsx'

type PersonHintProps = { filter: Filter; onFilter: (filter: Filter) => void }

/** Words are looked for in what people saw; one that may be somebody's key is offered as a person too. */
export function PersonHint({ filter, onFilter }: PersonHintProps) {
  const word = filter.words.find((one) => !/\s/.test(one))
  if (word === undefined) return null
  const chip: Chip = { ...{ field: 'user', key: '', isNegated: false, operator: 'is' }, values: [word] }
  return (
    <p className="flex flex-wrap items-center gap-8 text-12 text-text-2">
      Looking for sessions with “{word.slice(0, 60)}” in their pages, actions or errors.
      <Button
        size="small"
        icon="identity"
        title={printChip(chip)}
        onClick={() =>
          onFilter({ chips: [...filter.chips, chip], words: filter.words.filter((one) => one !== word) })
        }
      >
        Search as user ID
      </Button>
    </p>
  )
}
