import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { ImpactMetric } from '../../../api/impact.ts'
import { ForestRow } from '../../../charts/forest-row.tsx'
import { type ChangeScale, changeScale } from '../../../charts/harm-scale.ts'
import { Verdict } from '../../../charts/verdict.tsx'
import { EffectHead } from '../../../features/impact/effect-head.tsx'
import { hasEffect, isSplitWrong, stateOf, verdictNote } from '../../../features/impact/metric-evidence.ts'
import {
  armText,
  effectLabel,
  effectText,
  measureNote,
  waitingText,
} from '../../../features/impact/metric-words.ts'
import { useRowKeys } from '../../../ui/table/use-row-keys.ts'
import { changeOf } from '../../../ui/text/effect-text.ts'
import { type Compared, isOfRollout } from './use-compared.ts'
import { VariationName } from './variation-name.tsx'

type EffectTableProps = {
  compared: Compared
  metrics: readonly ImpactMetric[]
  /** The metric whose history is shown. */
  chosen: string | undefined
}

/** One row per metric: both values, the change with its interval, a plot of the interval, and the verdict. */
export function EffectTable({ compared, metrics, chosen }: EffectTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const keys = useRowKeys({ rows: metrics, rowId: keyOf, body })
  const { comparison, control } = compared
  const scale = changeScale(metrics.filter(hasEffect).map(changeIn))

  return (
    <table aria-label="Effects" className="w-full border-separate border-spacing-0 max-wide:block">
      <EffectHead
        of="Metric"
        control={<VariationName variation={control} />}
        treatment={<VariationName variation={comparison.treatment} />}
        scale={scale}
      />
      <tbody
        ref={body}
        onFocus={keys.onFocus}
        onBlur={keys.onBlur}
        className="max-wide:block [&>tr:last-child>td]:border-b-0 [&>tr:last-child>th]:border-b-0"
      >
        {metrics.map((metric, index) => (
          <EffectRow
            key={metric.metric}
            metric={metric}
            compared={compared}
            scale={scale}
            isChosen={metric.metric === chosen}
            isCurrent={keys.current === index}
          />
        ))}
      </tbody>
    </table>
  )
}

const keyOf = ({ metric }: ImpactMetric) => metric

function changeIn({ harm, better, limit }: ImpactMetric) {
  const ends = harm ?? { lower: null, estimate: null, upper: null }
  return { ...changeOf(ends, better), limit: better === 'lower' ? limit : -limit }
}

type EffectRowProps = {
  metric: ImpactMetric
  compared: Compared
  scale: ChangeScale
  isChosen: boolean
  isCurrent: boolean
}

const cell = 'h-row-2 border-line border-b px-8 max-wide:h-auto max-wide:border-0 max-wide:p-0'

function EffectRow({ metric, compared, scale, isChosen, isCurrent }: EffectRowProps) {
  const { comparison } = compared
  const effect = effectText(metric)
  const state = stateOf(metric, comparison)
  const note = verdictNote(metric, comparison)
  const isDoubtful = isSplitWrong(comparison)
  const isJudged = metric.isGuarded || !isOfRollout(compared)
  const number = isDoubtful ? 'text-text-3' : ''

  return (
    <tr
      data-row={metric.metric}
      className={`max-wide:grid max-wide:grid-cols-[minmax(0,1fr)_auto] max-wide:gap-x-12 max-wide:gap-y-2 max-wide:border-line max-wide:border-b max-wide:px-14 max-wide:py-10 ${isChosen ? 'bg-selected shadow-[inset_2px_0_0_var(--accent)]' : isCurrent ? 'bg-hover' : 'hover:bg-hover'}`}
    >
      <th
        scope="row"
        className={`${cell} min-w-[150px] pl-14 text-left font-regular max-wide:min-w-0 max-wide:pl-0`}
      >
        <Link
          from="/p/$project/flags/$flag/impact"
          to="/p/$project/flags/$flag/impact"
          search={(now) => ({ ...now, metric: metric.metric })}
          resetScroll={false}
          aria-current={isChosen}
          className="inline-block min-h-24 content-center"
        >
          <span className="font-medium">{metric.name}</span>{' '}
          <span className="text-12 text-text-3">{measureNote(metric)}</span>
        </Link>
      </th>
      <td className={`${cell} whitespace-nowrap text-right text-text-2 max-wide:hidden ${number}`}>
        {armText(metric, 'control')}
      </td>
      <td className={`${cell} whitespace-nowrap text-right max-wide:hidden ${number}`}>
        {armText(metric, 'treatment')}
      </td>
      <td
        className={`${cell} whitespace-nowrap text-right max-wide:col-start-2 max-wide:row-start-1 ${number}`}
      >
        {effect ? (
          <span className="grid">
            <b className="font-strong">{effect.change}</b>
            <span className="text-12 text-text-3">{effect.interval}</span>
          </span>
        ) : (
          <span className="text-12 text-text-3">{waitingText(metric)}</span>
        )}
      </td>
      <td className={`${cell} max-wide:row-start-2`}>
        {hasEffect(metric) && (
          <ForestRow
            change={changeIn(metric)}
            scale={scale}
            label={effectLabel(metric)}
            state={isJudged ? state : undefined}
            isDoubtful={isDoubtful}
          />
        )}
      </td>
      <td className={`${cell} pr-14 max-wide:row-start-2 max-wide:pr-0 max-wide:text-right`}>
        <span className="inline-grid">
          {isJudged ? <Verdict state={state} /> : <span className="text-text-3">Not guarded</span>}
          {isJudged && note && <span className="pl-18 text-12 text-text-3">{note}</span>}
        </span>
      </td>
    </tr>
  )
}
