import { useNavigate, useSearch } from '@tanstack/react-router'
import type { MeasuredRequest, RequestGroup } from '../../api/requests.ts'
import { SuspectsPanel } from '../../features/suspects/suspects-panel.tsx'
import type { SearchQuestion } from '../../shell/use-question.ts'
import { Segmented } from '../../ui/form/choice.tsx'
import { durationText } from '../../ui/text/measure-text.ts'
import { chipsOfRequest, requestChip } from './request-chips.ts'

type RequestSuspectsProps = { request: MeasuredRequest; group: RequestGroup; requested: SearchQuestion }

/** Flags for which it fails, or is slow, for more users. */
export function RequestSuspects({ request, group, requested: { question, filter } }: RequestSuspectsProps) {
  const { of } = useSearch({ from: '/p/$project/requests/$endpoint' })
  const navigate = useNavigate({ from: '/p/$project/requests/$endpoint' })
  const { failed, p75 } = request
  const canFail = failed > 0
  if (!canFail && p75 === null) return null
  const isSlow = p75 !== null && (of === 'slow' || !canFail)
  const all = chipsOfRequest(group)
  // Rounded to two digits, so that the threshold for slow stays the same while requests arrive.
  const slow = Number((p75 ?? 0).toPrecision(2))
  const words = isSlow
    ? `${group.endpoint} taking ${durationText(slow)} or more`
    : `${group.endpoint} failing`
  return (
    <SuspectsPanel
      question={question}
      filter={filter}
      words={words}
      note={isSlow ? `over ${durationText(slow)} or more` : 'failed'}
      actions={
        canFail &&
        p75 !== null && (
          <Segmented
            label="Suspects of"
            choices={[
              { value: 'failed', label: 'Failed' },
              { value: 'slow', label: 'Slow' },
            ]}
            value={isSlow ? 'slow' : 'failed'}
            onValue={(next) =>
              void navigate({
                search: (now) => ({ ...now, of: next === 'slow' ? 'slow' : undefined }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        )
      }
      among={all}
      of={[
        ...all,
        isSlow ? requestChip('duration', '>=', String(slow)) : requestChip('failed', 'is', 'true'),
      ]}
      metric={isSlow ? undefined : 'failed-requests'}
    />
  )
}
