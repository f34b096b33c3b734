import { limits } from '@telltale/core/limits'
import { type VitalName, vitalBoundaries } from '@telltale/core/telemetry/vitals'
import type { ReactNode } from 'react'
import type { Overview } from '../../api/overview.ts'
import type { StackedPanel } from '../../charts/stacked-row.tsx'
import { RatingBar } from '../../ui/rating-bar.tsx'
import { changeText, countText, shareText, signedText, vitalText } from '../../ui/text/measure-text.ts'
import { vitalTitles } from '../../ui/text/vital-names.ts'

const shown = ['LCP', 'INP', 'CLS'] as const satisfies readonly VitalName[]

/** Vitals from the response whose steps have enough page loads, everything else from the one with fine steps. */
export function healthPanels(fine: Overview, coarse: Overview): StackedPanel[] {
  const coarseSteps = fine === coarse ? {} : { steps: stepsOf(coarse) }
  return [
    ...shown.map((name) => ({ ...vitalPanel(name, coarse), ...coarseSteps })),
    { ...errorsPanel(coarse), ...coarseSteps },
    sessionsPanel(fine),
  ]
}

export function stepsOf({ series }: Overview) {
  return {
    times: series.map(({ at }) => Date.parse(at)),
    partial: new Set(series.flatMap(({ partial }, index) => (partial ? [index] : []))),
  }
}

function vitalPanel(name: VitalName, { now, before, series }: Overview): StackedPanel {
  const vital = now.vitals.find((one) => one.name === name)
  const former = before.vitals.find((one) => one.name === name)
  const p75 = vital?.p75 ?? null
  const count = vital?.count ?? 0
  const title = vitalTitles[name]
  const tooFew = `too few (${countText(count)} of ${limits.percentileMinimum})`
  const good = vital?.good ?? null
  return {
    id: name,
    label: `${name} p75`,
    kind: 'line',
    values: series.map(({ vitals }) => vitals.find((one) => one.name === name)?.p75 ?? null),
    boundaries: vitalBoundaries[name],
    format: (value) => vitalText(name, value),
    sentence: `${title}, p75 ${p75 === null ? tooFew : vitalText(name, p75)}${good === null ? '' : `, ${shareText(good)} good`}`,
    none: count === 0 ? 'No data in this time range' : 'Too few page views per interval for a p75',
    head: (
      <Head title={title} detail={`${name} p75`}>
        {p75 === null ? (
          <TooFew>{count === 0 ? 'not recorded' : tooFew}</TooFew>
        ) : (
          <Figure>{vitalText(name, p75)}</Figure>
        )}
        {vital?.good != null && vital.poor != null && p75 !== null && (
          <RatingBar good={vital.good} poor={vital.poor} />
        )}
        <span className="text-12 text-text-3">
          <VitalChange name={name} now={p75} before={former?.p75 ?? null} />
          {good !== null && p75 !== null && `${shareText(good)} good`}
        </span>
      </Head>
    ),
  }
}

function errorsPanel({ now, before, series }: Overview): StackedPanel {
  const rate = now.errorsPerThousandViews
  return {
    id: 'errors',
    label: 'JS errors per 1k views',
    kind: 'line',
    values: series.map(({ errors, views }) => (views === 0 ? null : (errors / views) * 1_000)),
    format: rateText,
    sentence: `JS errors, ${rate === null ? 'no views' : `${rateText(rate)} per 1,000 views`}`,
    none: 'No data in this time range',
    head: (
      <Head title="JS errors">
        {rate === null ? (
          <TooFew>no views</TooFew>
        ) : (
          <span className="flex items-baseline gap-6">
            <Figure>{rateText(rate)}</Figure>
            <span className="text-12 text-text-3">per 1k views</span>
          </span>
        )}
        <Change now={rate} before={isKnown(before) ? before.errorsPerThousandViews : null} isHarm />
      </Head>
    ),
  }
}

const stepWords: Readonly<Record<Overview['step'], string>> = {
  '1m': '1 min',
  '5m': '5 min',
  '15m': '15 min',
  '1h': '1 h',
  '3h': '3 h',
  '6h': '6 h',
  '1d': '1 day',
  '7d': '1 week',
}

export const stepText = (step: Overview['step']) => stepWords[step].replace(' ', '\u00a0')

function sessionsPanel({ now, before, series, step }: Overview): StackedPanel {
  return {
    id: 'sessions',
    label: 'Sessions',
    kind: 'bars',
    values: series.map(({ sessions }) => sessions),
    format: countText,
    sentence: `Sessions, ${countText(now.sessions)}`,
    head: (
      <Head title="Sessions">
        <span className="flex items-baseline gap-6">
          <Figure>{countText(now.sessions)}</Figure>
          <span className="text-12 text-text-3">bar: {stepText(step)}</span>
        </span>
        <Change now={now.sessions} before={isKnown(before) ? before.sessions : null} />
      </Head>
    ),
  }
}

function rateText(rate: number): string {
  if (rate >= 100) return countText(rate)
  return rate === 0 ? '0' : String(Number(rate.toPrecision(2)))
}

function Head({ title, detail, children }: { title: string; detail?: string; children: ReactNode }) {
  return (
    <div className="grid gap-2">
      <h3 className="flex items-baseline gap-6 font-medium">
        {title}
        {detail && <span className="font-regular text-11 text-text-3">{detail}</span>}
      </h3>
      {children}
    </div>
  )
}

function Figure({ children }: { children: ReactNode }) {
  return <span className="font-medium text-22 tracking-[-.02em]">{children}</span>
}

function TooFew({ children }: { children: ReactNode }) {
  return <span className="py-4 text-14 text-text-3">{children}</span>
}

/** From this value on, a change exceeds daily noise and is coloured if it is better or worse. */
const noticed = 0.03

/** A change from almost zero is large but meaningless. */
const isKnown = ({ sessions }: Overview['before']) => sessions >= limits.percentileMinimum

type ChangeProps = { now: number | null; before: number | null; isHarm?: boolean }

function Change({ now, before, isHarm = false }: ChangeProps) {
  const text = changeText(now, before)
  if (text === undefined || now === null || before === null) return <NothingBefore />
  return <span className={`text-12 ${isHarm ? toneOf(now / before - 1) : 'text-text-3'}`}>{text}</span>
}

function NothingBefore() {
  return <span className="text-12 text-text-3">no previous data</span>
}

function VitalChange({ name, now, before }: { name: VitalName; now: number | null; before: number | null }) {
  if (now === null || before === null) return null
  const change = before === 0 ? 0 : now / before - 1
  const text =
    name === 'CLS' ? signedText(now - before, (value) => value.toFixed(2)) : changeText(now, before)
  const isSeen = text !== undefined && /[1-9]/.test(text)
  return text && <span className={isSeen ? toneOf(change) : ''}>{text} · </span>
}

/** For a measure where more is worse. */
function toneOf(change: number): string {
  if (Math.abs(change) < noticed) return 'text-text-3'
  return change > 0 ? 'font-medium text-bad' : 'font-medium text-ok'
}
