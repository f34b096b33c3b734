import type { PageVital } from '../../api/pages.ts'
import { Distribution } from '../../charts/distribution.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RatingBar } from '../../ui/rating-bar.tsx'
import { countText, shareText, vitalText } from '../../ui/text/measure-text.ts'
import { vitalTitles } from '../../ui/text/vital-names.ts'
import { VitalValue } from '../../ui/text/vital-value.tsx'

/** One vital of the page: its p75 and its distribution. */
export function VitalPanel({ vital }: { vital: PageVital }) {
  const { name, p75, count, good, poor, bins } = vital
  const title = vitalTitles[name]
  const [first = 0, second = 0] = vital.boundaries
  const rated =
    good === null || poor === null
      ? ''
      : `: ${shareText(good)} good, ${shareText(poor)} poor${p75 === null ? '' : `, p75 ${vitalText(name, p75)}`}`
  return (
    <Panel title={title} note={`${name} p75`} actions={<VitalValue name={name} value={p75} count={count} />}>
      {count === 0 ? (
        <p className="py-32 text-center text-text-3">not recorded</p>
      ) : (
        <div className="grid gap-10">
          <div className="grid gap-4">
            {good !== null && poor !== null && <RatingBar good={good} poor={poor} />}
            <p className="text-12 text-text-3">
              {good !== null && `${shareText(good)} good of `}
              {countText(count)} measured
              {p75 === null && ': too few to show a p75'}
            </p>
          </div>
          <Distribution
            label={`${title} of ${countText(count)} views${rated}`}
            series={[{ label: name, color: 'text-3', bins }]}
            boundaries={[first, second]}
            format={(value) => vitalText(name, value)}
            p75={p75}
          />
        </div>
      )}
    </Panel>
  )
}
