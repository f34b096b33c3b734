import type { TileDataOf } from '../../api/dashboards.ts'
import { RatingBar } from '../../ui/rating-bar.tsx'
import { changeText, shareText } from '../../ui/text/measure-text.ts'
import { vitalTitles } from '../../ui/text/vital-names.ts'
import { VitalValue } from '../../ui/text/vital-value.tsx'

/** The p75 of each vital, its change, and how many values are good. */
export function VitalsView({ data: { now, before } }: { data: TileDataOf<'vitals'> }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(132px,1fr))] gap-x-24 gap-y-12">
      {now.map(({ name, p75, count, good, poor }) => {
        const former = before.find((one) => one.name === name)
        const change = changeText(p75, former?.p75 ?? null)
        return (
          <div key={name} className="grid content-start gap-4">
            <dt className="flex items-baseline gap-6 font-medium" title={vitalTitles[name]}>
              {name} <span className="font-regular text-11 text-text-3">p75</span>
            </dt>
            <dd className="text-18">
              <VitalValue name={name} value={p75} count={count} />
            </dd>
            {p75 !== null && good !== null && poor !== null && (
              <dd className="grid gap-4 text-12 text-text-3">
                <RatingBar good={good} poor={poor} />
                <span>
                  {change && `${change} · `}
                  {shareText(good)} good
                </span>
              </dd>
            )}
          </div>
        )
      })}
    </dl>
  )
}
