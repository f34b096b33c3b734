import { Link } from '@tanstack/react-router'
import type { FlagChanges } from '@telltale/core/contract/blast-radius'
import type { TargetingChange } from '../../api/blast-radius.ts'
import { toProblem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { countOf, fullCountText } from '../../ui/text/measure-text.ts'
import { Variation } from '../../ui/variation.tsx'
import { headlineOf, sentencesOf } from './blast-radius-text.ts'
import { type BlastRadius, useBlastRadius } from './use-blast-radius.ts'

type BlastRadiusViewProps = {
  project: string
  env: string
  /** The name of the environment. */
  where: string
  change: TargetingChange
  /** Of the changed flag, in its order. */
  variations?: readonly { readonly key: string; readonly name: string }[]
}

/** Users of the last days who would get a different variation, counted while the member reads the diff. */
export function BlastRadiusView({ project, env, where, change, variations = [] }: BlastRadiusViewProps) {
  const { radius, isCounting, error, retry } = useBlastRadius({ project, env }, change)
  const flag = 'flag' in change ? radius?.flags[0] : undefined

  return (
    <section aria-label="Blast radius" className="grid gap-8 rounded-panel border border-line p-12">
      <h3 className="font-strong text-12 text-text-2">Who is affected in {where}</h3>
      {isCounting && <Progress radius={radius} />}
      {error && <Refused error={error} onRetry={retry} />}
      {radius && !isCounting && !error && (
        <p role="status" className="font-medium text-pretty">
          {headlineOf(radius, flag)}
        </p>
      )}
      {radius && (
        <div className={`grid gap-8 ${isCounting ? 'opacity-60' : ''}`}>
          <ul className="grid gap-2 text-pretty break-words text-text-2">
            {sentencesOf(radius, flag).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            {radius.masked.length > 0 && (
              <li>Evaluated without sensitive traits your role can't see: {radius.masked.join(', ')}.</li>
            )}
            {!radius.isWhole && !isCounting && (
              <li>
                Evaluated {fullCountText(radius.people)} of about {fullCountText(radius.total)} users.
              </li>
            )}
          </ul>
          {flag && flag.moves.length > 0 && <Moves flag={flag} variations={variations} />}
          {flag && flag.examples.length > 0 && <Examples flag={flag} project={project} env={env} />}
        </div>
      )}
    </section>
  )
}

function Progress({ radius }: { radius: BlastRadius | undefined }) {
  const people = radius?.people ?? 0
  const total = radius?.total ?? 1
  return (
    <ProgressBar
      label="Users evaluated"
      done={people}
      of={total}
      text={
        radius === undefined
          ? 'Reading the users of the last 7 days …'
          : `Evaluated ${fullCountText(people)} of about ${fullCountText(total)} users …`
      }
    />
  )
}

function Refused({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const problem = toProblem(error)
  return (
    <Notice
      tone="plain"
      title="Affected users could not be counted"
      detail={problem.errors[0]?.message ?? problem.detail ?? problem.title}
      requestId={problem.requestId}
      action={<Button onClick={onRetry}>Try again</Button>}
    />
  )
}

type OfFlag = { flag: FlagChanges } & Required<Pick<BlastRadiusViewProps, 'variations'>>

function Moves({ flag, variations }: OfFlag) {
  const shown = (key: string | null) => {
    const order = variations.findIndex((one) => one.key === key)
    if (key === null) return <span className="text-text-3">none</span>
    return order < 0 ? <code>{key}</code> : <Variation order={order} label={key} isKey />
  }
  return (
    <div className="overflow-hidden rounded-panel border border-line">
      <PlainTable
        label="Changes of variation"
        rows={flag.moves.toSorted((one, other) => other.people - one.people)}
        rowId={({ from, to }) => `${from} ${to}`}
        columns={[
          {
            id: 'move',
            header: 'Change',
            cell: ({ from, to }) => (
              <span className="flex min-w-0 items-center gap-8">
                {shown(from)}
                <span aria-hidden="true" className="text-text-3">
                  →
                </span>
                <span className="sr-only">to</span>
                {shown(to)}
              </span>
            ),
          },
          { id: 'people', header: 'Users', align: 'end', cell: ({ people }) => fullCountText(people) },
          {
            id: 'sessions',
            header: 'Sessions',
            align: 'end',
            cell: ({ sessions }) => fullCountText(sessions),
          },
          {
            id: 'exposed',
            header: 'Already exposed',
            align: 'end',
            cell: ({ exposed }) => fullCountText(exposed),
          },
        ]}
      />
    </div>
  )
}

function Examples({ flag, project, env }: { flag: FlagChanges; project: string; env: string }) {
  return (
    <details>
      <summary className="cursor-pointer text-text-2">Examples</summary>
      <ul className="grid gap-2 pt-6">
        {flag.examples.map(({ targetingKey, from, to, sessions }) => (
          <li key={targetingKey} className="flex min-w-0 flex-wrap items-center gap-x-8">
            <Link
              to="/p/$project/identities/$identity"
              params={{ project, identity: targetingKey }}
              search={{ env }}
              target="_blank"
              className="min-h-24 max-w-[32ch] truncate py-4 font-code text-12 text-accent hover:underline"
            >
              {targetingKey}
            </Link>
            <span className="text-12 text-text-3">
              {from ?? 'none'} → {to ?? 'none'}, {countOf(sessions, 'session')}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
