import { Link } from '@tanstack/react-router'
import type { Ledger } from '../../api/ledger.ts'
import { countText } from '../../ui/text/measure-text.ts'

type UnsplitPanelProps = { unsplit: NonNullable<Ledger['figures']>['unsplit'] }

/** Flags without a split: a difference between their users may have other causes. */
export function UnsplitPanel({ unsplit: { flags, count } }: UnsplitPanelProps) {
  if (count === 0) return null
  return (
    <details className="rounded-panel border border-line bg-surface px-14 py-10">
      <summary className="cursor-pointer font-medium">
        Not randomised: {countText(count)} {count === 1 ? 'flag' : 'flags'}
      </summary>
      <p className="pt-8 text-pretty text-text-2">
        Rules alone decided which users got a variation: a difference between them can have other causes.
      </p>
      <ul className="flex flex-wrap gap-x-12 gap-y-4 pt-8">
        {flags.map((flag) => (
          <li key={flag} className="min-w-0">
            <Link
              from="/p/$project/ledger"
              to="/p/$project/flags/$flag/targeting"
              params={{ flag }}
              search={({ env }) => ({ env })}
              className="[overflow-wrap:anywhere]"
            >
              <code>{flag}</code>
            </Link>
          </li>
        ))}
        {count > flags.length && <li className="text-text-3">and {countText(count - flags.length)} more</li>}
      </ul>
    </details>
  )
}
