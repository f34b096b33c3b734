import type { ReactNode } from 'react'
import type { ShownRelease } from '../../api/releases.ts'
import type { StackedPanel } from '../../charts/stacked-row.tsx'
import { countText, shareText } from '../../ui/text/measure-text.ts'
import { stepText } from '../../ui/text/step-words.ts'

/** Adoption, sessions, and the share of them with an uncaught error. */
export function releasePanels({
  series,
  sessions,
  users,
  adoption,
  step,
  ...rest
}: ShownRelease): StackedPanel[] {
  const { crashFreeSessions, crashFreeUsers } = rest
  const share = (value: number | null) => (value === null ? 'no sessions' : shareText(value))
  return [
    {
      id: 'adoption',
      label: 'Adoption',
      kind: 'line',
      format: shareText,
      values: series.map((point) => (point.all === 0 ? null : point.sessions / point.all)),
      sentence: `Adoption ${share(adoption)}`,
      none: 'No sessions in this time range',
      head: (
        <Head title="Adoption" note="of sessions with a version">
          {share(adoption)}
        </Head>
      ),
    },
    {
      id: 'sessions',
      label: 'Sessions',
      kind: 'bars',
      format: countText,
      values: series.map((point) => point.sessions),
      sentence: `${countText(sessions)} sessions of ${countText(users)} users`,
      head: (
        <Head title="Sessions" note={`${countText(users)} users, bar: ${stepText(step)}`}>
          {countText(sessions)}
        </Head>
      ),
    },
    {
      id: 'crash-free',
      label: 'Sessions with an uncaught error',
      kind: 'bars',
      format: countText,
      values: series.map((point) => point.crashed),
      sentence: `Crash-free sessions ${share(crashFreeSessions)}, crash-free users ${share(crashFreeUsers)}`,
      head: (
        <Head title="Crash-free sessions" note={`${share(crashFreeUsers)} of users; bars: crashed`}>
          {share(crashFreeSessions)}
        </Head>
      ),
    },
  ]
}

export function stepsOf({ series }: ShownRelease) {
  return {
    times: series.map(({ at }) => Date.parse(at)),
    partial: new Set(series.flatMap(({ partial }, index) => (partial ? [index] : []))),
  }
}

function Head({ title, note, children }: { title: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-2">
      <h3 className="font-medium">{title}</h3>
      <span className="font-medium text-22 tracking-[-.02em]">{children}</span>
      <span className="text-12 text-text-3">{note}</span>
    </div>
  )
}
