import type { Filter } from '@telltale/core/query/filter'
import type { Question } from '../../api/question.ts'
import { ReplayMoments } from '../../features/replays/replay-moments.tsx'
import { filterOfPage } from '../../ui/text/page-chip.ts'

type PageReplaysProps = { page: string; asked: Question; filter: Filter }

/** What it was like, to watch: where the page was slow, and where people lost patience. */
export function PageReplays({ page, asked, filter }: PageReplaysProps) {
  const question = { ...asked, filter: filterOfPage(filter, page) }
  return (
    <div className="grid min-w-0 items-start gap-16 full:grid-cols-2">
      <ReplayMoments
        title="Replays of slow visits"
        note="slowest first"
        question={question}
        of="slow"
        none="No recordings of slow visits."
      />
      <ReplayMoments
        title="Replays with frustration"
        note="rage, dead and error clicks"
        question={question}
        of="frustration"
        none="No recordings with frustration."
      />
    </div>
  )
}
