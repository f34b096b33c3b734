import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, use } from 'react'
import { type Evaluations, evaluationsQuery, versionsQuery } from '../../../api/flags.ts'
import { TimeChart } from '../../../charts/time-chart.tsx'
import { ToolbarPanel } from '../../../features/toolbar/toolbar-panel.tsx'
import { useScope, useSetScope } from '../../../shell/scope-context.ts'
import { boundsOf } from '../../../shell/time-range.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { TimeAgo, TimeZone } from '../../../ui/text/time.tsx'
import { useConfigRef, useFlag } from '../flag-context.ts'
import { countText } from '../flag-words.ts'
import { CodeReferences } from './code-references.tsx'
import { DependsOn, NeededBy } from './depends-on.tsx'
import { FlagSnippet } from './flag-snippet.tsx'
import { ReasonTable } from './reason-table.tsx'
import { type Line, linesOf, stepFor } from './usage-series.ts'

const stepWords = { minute: 'per minute', hour: 'per hour', day: 'per day' }

/** Which clients evaluate the flag, how often, and what they were served. */
export function UsageTab() {
  const { environment, range } = useScope()
  const place = useConfigRef()
  const now = Date.now()
  const { from, to } = boundsOf(range, now)
  const step = stepFor(from, to, now)
  const evaluations = useQuery({
    ...evaluationsQuery(place, { range, step, bounds: () => instantsOf(range) }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })

  return (
    <div className="grid min-w-0 items-start gap-16 full:grid-cols-[minmax(0,1fr)_304px]">
      <div className="grid min-w-0 gap-16">
        <Panel title={`Evaluations in ${environment.name}`} note={stepWords[step]}>
          <Async
            of={evaluations}
            isEmpty={({ lastEvaluatedAt }) => lastEvaluatedAt === null}
            empty={<Never />}
          >
            {(reply) => <Counted reply={reply} />}
          </Async>
        </Panel>
        <CodeReferences />
        <FlagSnippet />
        <FlagToolbar />
      </div>
      <aside className="grid min-w-0 gap-16" aria-label="Dependencies">
        <DependsOn />
        <NeededBy />
      </aside>
    </div>
  )
}

/** Pages can read no other flags. */
function FlagToolbar() {
  const { project, environment } = useScope()
  const flag = useFlag()
  return (
    flag.clientVisible && (
      <ToolbarPanel key={environment.key} project={project} environment={environment} flag={flag} />
    )
  )
}

function Never() {
  return (
    <Empty title="Never evaluated here">
      No application has evaluated this flag in this environment. See below how to do it. Evaluations in the
      console do not count.
    </Empty>
  )
}

const colours = ['v0', 'v1', 'v2', 'v3', 'v4', 'v5'] as const

function Counted({ reply }: { reply: Evaluations }) {
  const flag = useFlag()
  const timeZone = use(TimeZone)
  const setScope = useSetScope()
  const changes = useChanges()
  const { times, lines } = linesOf(reply, flag.variations)
  const first = times[0] ?? 0

  return (
    <div className="grid min-w-0 gap-16">
      <dl className="flex flex-wrap gap-x-24 gap-y-8">
        <Figure name="Evaluations in this time range" value={countText(reply.total)} />
        <Figure name="Last evaluated" value={<TimeAgo at={reply.lastEvaluatedAt} />} />
        <Figure name="First evaluated" value={<TimeAgo at={reply.firstEvaluatedAt} />} />
      </dl>
      {reply.total === 0 ? (
        <p className="py-24 text-center text-text-2">
          No evaluations in this time range. Choose a longer one.
        </p>
      ) : (
        <>
          <TimeChart
            label={`Evaluations of ${flag.key} by variation: ${lines.map((line) => `${nameOf(line)} ${countText(line.total)}`).join(', ')}`}
            times={times}
            series={lines.map((line) => ({
              label: nameOf(line),
              color: colourOf(line, flag.variations),
              values: line.values,
            }))}
            format={countText}
            markers={changes.filter(({ at }) => at >= first && at <= Date.parse(reply.to))}
            timeZone={timeZone}
            height={200}
            onSpan={(from, to) =>
              setScope({ t: `${new Date(from).toISOString()}..${new Date(to).toISOString()}` })
            }
          />
          <ReasonTable reply={reply} variations={flag.variations} />
        </>
      )}
    </div>
  )
}

function Figure({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-text-3">{name}</dt>
      <dd className="font-strong text-17">{value}</dd>
    </div>
  )
}

/** The latest changes of the configuration, for the markers. */
function useChanges(): { at: number; label: string }[] {
  const versions = useInfiniteQuery(versionsQuery(useConfigRef())).data?.pages[0]?.items ?? []
  return versions
    .filter(({ version }) => version > 1)
    .map(({ savedAt, version, actor }) => ({
      at: Date.parse(savedAt),
      label: `Version ${version} by ${actor.name}`,
    }))
    .toReversed()
}

function nameOf({ variation }: Line): string {
  return variation ?? 'default in the code'
}

function colourOf({ variation }: Line, variations: readonly { key: string }[]) {
  const order = variations.findIndex(({ key }) => key === variation)
  return order < 0 ? 'text-3' : (colours[order % colours.length] ?? 'text-3')
}

function instantsOf(range: Parameters<typeof boundsOf>[0]): { from: string; to: string } {
  const { from, to } = boundsOf(range, Date.now())
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}
