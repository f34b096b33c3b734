import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { keysQuery, type SdkKey } from '../../api/keys.ts'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ConnectSnippets } from '../../ui/connect-snippets.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { ArrivalState } from './arrival-state.tsx'
import { NotYet } from './not-yet.tsx'
import { useArrival } from './use-arrival.ts'

/** From a new project to a page that evaluates a flag: completed steps, and the next one. */
export function FirstSteps() {
  const { project, environment } = useScope()
  const arrival = useArrival(project, environment)
  const keys = useQuery(keysQuery(project, environment.key))
  const hasFlags = arrival.hasFlags ?? false
  const hasArrived = arrival.evaluated !== undefined || arrival.event !== undefined

  return (
    <div className="grid max-w-review rounded-panel border border-line bg-surface px-14">
      <Step number={1} title="Create a flag" isDone={hasFlags}>
        <FlagStep project={project} hasFlags={hasFlags} />
      </Step>
      <Step number={2} title={`Connect an application to ${environment.name}`} isDone={hasArrived}>
        <Connect project={project} env={environment.key} />
      </Step>
      <Step number={3} title="See data arrive" isDone={hasArrived}>
        <div className="grid gap-8">
          <ArrivalState arrival={arrival} />
          {!hasArrived && (
            <NotYet
              project={project}
              environment={environment}
              clientKey={clientKeyOf(keys.data?.items ?? [])}
              usedAt={arrival.usedAt}
            />
          )}
        </div>
      </Step>
    </div>
  )
}

type StepProps = { number: number; title: string; isDone: boolean; children: ReactNode }

function Step({ number, title, isDone, children }: StepProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-12 gap-y-12 border-line border-t py-16 first:border-t-0"
    >
      <span
        aria-hidden="true"
        className={`grid size-24 place-items-center rounded-round border font-strong text-12 ${isDone ? 'border-ink bg-ink text-on-ink' : 'border-accent text-accent'}`}
      >
        {isDone ? <Icon name="check" className="size-12" /> : number}
      </span>
      <h2 id={id} className="pt-2 font-strong text-14">
        {title}
        {isDone && <span className="sr-only"> (done)</span>}
      </h2>
      <div className="col-span-2 min-w-0 wide:col-span-1 wide:col-start-2">{children}</div>
    </section>
  )
}

const flagsAddress = '/p/$project/flags'

function FlagStep({ project, hasFlags }: { project: string; hasFlags: boolean }) {
  const router = useRouter()
  // As text, so that the step is correct even without the flags screen.
  const to: string = flagsAddress
  const hasScreen = Object.hasOwn(router.routesByPath, to)
  return (
    <div className="flex items-center justify-between gap-12 max-wide:flex-wrap">
      <p className="max-w-read text-pretty text-text-2">
        {hasFlags
          ? 'Your project has flags. Browsers see those available to client keys.'
          : 'A flag has variations, and targeting in each environment decides who gets which. A new flag is off everywhere.'}
      </p>
      {hasScreen && (
        <Link
          to={to}
          params={{ project }}
          search={hasFlags ? {} : { new: true }}
          className={`shrink-0 ${buttonClass(hasFlags ? 'normal' : 'primary')}`}
        >
          {hasFlags ? 'Open flags' : 'Create a flag'}
        </Link>
      )}
    </div>
  )
}

function Connect({ project, env }: { project: string; env: string }) {
  const keys = useQuery(keysQuery(project, env))
  return (
    <Async of={keys}>
      {({ items }) => {
        const key = clientKeyOf(items)
        if (key === undefined) return <NoKey project={project} env={env} />
        return (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-16 gap-y-4">
              <dt className="text-text-3">Address</dt>
              <dd className="min-w-0">
                <CopyText text={window.location.origin} label="Copy the address" />
              </dd>
              <dt className="text-text-3">Client key</dt>
              <dd className="min-w-0">
                <CopyText text={key} label="Copy the client key" />
              </dd>
            </dl>
            <ConnectSnippets url={window.location.origin} clientKey={key} />
          </div>
        )
      }}
    </Async>
  )
}

function clientKeyOf(keys: readonly SdkKey[]): string | undefined {
  return keys.find(({ value, revokedAt }) => value !== null && revokedAt === null)?.value ?? undefined
}

function NoKey({ project, env }: { project: string; env: string }) {
  return (
    <Empty
      title="No client key"
      action={
        <Link
          to="/p/$project/settings/environments/$environment"
          params={{ project, environment: env }}
          className={buttonClass()}
        >
          Open keys
        </Link>
      }
    >
      All client keys of this environment are revoked. An admin can create one.
    </Empty>
  )
}
