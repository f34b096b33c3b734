import { Link } from '@tanstack/react-router'
import type { Filter } from '@telltale/core/query/filter'
import type { PageRow } from '../../api/pages.ts'
import { ReplayMoments } from '../../features/replays/replay-moments.tsx'
import { useQuestion } from '../../shell/use-question.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { RatingBar } from '../../ui/rating-bar.tsx'
import { countOf, countText, shareText } from '../../ui/text/measure-text.ts'
import { filterOfPage } from '../../ui/text/page-chip.ts'
import { vitalTitles } from '../../ui/text/vital-names.ts'
import { VitalValue } from '../../ui/text/vital-value.tsx'
import { PageCrossLinks } from './page-cross-links.tsx'

type PagePeekProps = { row: PageRow; filter: Filter; onClose: () => void }

/** The list's data about a page, in more detail. */
export function PagePeek({ row, filter, onClose }: PagePeekProps) {
  const { question } = useQuestion()
  return (
    <Peek
      title={<code>{row.page}</code>}
      open={
        <Link
          from="/p/$project/pages"
          to="/p/$project/pages/$page"
          params={{ page: row.page }}
          search={({ q }: { q?: string | undefined }) => ({ q })}
          className={buttonClass('normal', 'small')}
        >
          Open
        </Link>
      }
      onClose={onClose}
    >
      <div className="grid gap-16">
        <p className="text-text-2">
          {countOf(row.views, 'view')} in {countOf(row.sessions, 'session')}, {countOf(row.errors, 'error')}.
        </p>
        <dl className="grid gap-12">
          {row.vitals.map((vital) => (
            <div key={vital.name} className="grid gap-4">
              <dt className="flex items-baseline justify-between gap-8">
                <span className="font-medium">
                  {vitalTitles[vital.name]}{' '}
                  <span className="font-regular text-11 text-text-3">{vital.name} p75</span>
                </span>
                <VitalValue name={vital.name} value={vital.p75} count={vital.count} />
              </dt>
              <dd className="grid gap-4 text-12 text-text-3">
                {vital.good !== null && vital.poor !== null && vital.p75 !== null && (
                  <RatingBar good={vital.good} poor={vital.poor} />
                )}
                {vital.good !== null && `${shareText(vital.good)} good of `}
                {countText(vital.count)} measured
              </dd>
            </div>
          ))}
        </dl>
        <PageCrossLinks page={row.page} filter={filter} />
        <ReplayMoments
          title="Replays of slow visits"
          question={{ ...question, filter: filterOfPage(filter, row.page) }}
          of="slow"
          none="No recordings of slow visits."
        />
      </div>
    </Peek>
  )
}
