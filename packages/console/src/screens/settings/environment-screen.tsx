import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteEnvironment, type Environment, environmentsQuery } from '../../api/environments.ts'
import { keysQuery } from '../../api/keys.ts'
import { toProblem } from '../../api/problem.ts'
import { ToolbarPanel } from '../../features/toolbar/toolbar-panel.tsx'
import { useMay } from '../../shell/account.ts'
import { MayNotice } from '../../shell/may-notice.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Button } from '../../ui/button.tsx'
import { ConnectSnippets } from '../../ui/connect-snippets.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { EnvironmentMark } from '../../ui/environment-mark.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Missing } from '../../ui/states.tsx'
import { AaTestPanel } from './aa-test/aa-test-panel.tsx'
import { DeployHookPanel } from './deploy-hook-panel.tsx'
import { EnvironmentForm } from './environment-form.tsx'
import { KeysPanel } from './keys-panel.tsx'
import { ManagedNotice } from './managed-notice.tsx'
import { RecordingOrdersPanel } from './recording-orders-panel.tsx'
import { RouteRulesPanel } from './route-rules/route-rules-panel.tsx'
import { SignedUsersPanel } from './signed-users/signed-users-panel.tsx'

/** One environment: its keys, how to connect an application, and its settings. */
export function EnvironmentScreen() {
  const { project } = useScope()
  const { environment: key } = useParams({ from: '/p/$project/settings/environments/$environment' })
  const environments = useQuery(environmentsQuery(project))
  const found = environments.data?.items.find((one) => one.key === key)

  return (
    <SectionScreen
      of="settings"
      title={found?.name ?? key}
      heading={
        found && (
          <span className="inline-flex max-w-full items-center gap-8">
            <EnvironmentMark environment={found} />
            <span className="truncate">{found.name}</span>
          </span>
        )
      }
      crumbs={
        <>
          <Icon name="right" className="size-12 text-text-3" />
          <Link to="/p/$project/settings/environments" params={{ project }} className="shrink-0">
            Environments and keys
          </Link>
        </>
      }
    >
      <Async of={environments}>
        {({ items }) =>
          found ? (
            <Parts key={found.id} project={project} environment={found} isLast={items.length === 1} />
          ) : (
            <Missing>There is no environment with the key {key}. It may have been deleted.</Missing>
          )
        }
      </Async>
    </SectionScreen>
  )
}

type PartsProps = { project: string; environment: Environment; isLast: boolean }

function Parts({ project, environment, isLast }: PartsProps) {
  const { page } = useSearch({ from: '/p/$project/settings/environments/$environment' })
  return (
    <>
      <MayNotice permission="environments.manage" environment={environment} />
      {environment.managed && <ManagedNotice />}
      <div className="flex flex-wrap items-center gap-x-16 text-text-3">
        <span className="inline-flex min-w-0 items-center gap-6">
          Key <CopyText text={environment.key} label="Copy the environment key" />
        </span>
      </div>
      <KeysPanel project={project} environment={environment} />
      <SignedUsersPanel project={project} environment={environment} />
      <ConnectPanel project={project} environment={environment} />
      <ToolbarPanel project={project} environment={environment} page={page} />
      <EnvironmentForm project={project} environment={environment} />
      <RecordingOrdersPanel project={project} environment={environment} />
      <RouteRulesPanel project={project} environment={environment} />
      <DeployHookPanel project={project} environment={environment} />
      <AaTestPanel project={project} environment={environment} />
      <DeletePanel project={project} environment={environment} isLast={isLast} />
    </>
  )
}

function DeletePanel({ project, environment, isLast }: PartsProps) {
  const [isOpen, setOpen] = useState(false)
  const mayManage = useMay('environments.manage', environment.key)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const deletion = useMutation({
    mutationFn: deleteEnvironment,
    onSuccess: async () => {
      showToast({ text: `${environment.name} deleted.` })
      await navigate({
        to: '/p/$project/settings/environments',
        params: { project },
        search: { env: undefined },
      })
      await queryClient.invalidateQueries({ queryKey: environmentsQuery(project).queryKey })
    },
  })

  return (
    <Panel title="Delete environment">
      <div className="flex flex-wrap items-center justify-between gap-12">
        <p className="max-w-read text-pretty text-text-2">
          Deletes its keys, alerts, flag configurations and telemetry.
          {isLast && ' A project needs at least one environment. Create another one first.'}
        </p>
        <Button
          look="danger"
          disabled={!mayManage || environment.managed || isLast}
          onClick={() => setOpen(true)}
        >
          Delete environment…
        </Button>
      </div>
      {isOpen && (
        <ConfirmDialog
          title={`Delete ${environment.name}`}
          consequence="Applications that use one of its keys immediately fall back to the defaults in their code. This can only be undone from a backup."
          verb="Delete environment"
          typed={environment.key}
          busy={deletion.isPending}
          problem={deletion.error && toProblem(deletion.error)}
          onConfirm={() => deletion.mutate({ project, env: environment.key })}
          onClose={() => setOpen(false)}
        />
      )}
    </Panel>
  )
}

/** The snippet for an application. */
function ConnectPanel({ project, environment }: { project: string; environment: Environment }) {
  const keys = useQuery(keysQuery(project, environment.key))

  return (
    <Panel title="Add to your application">
      <Async of={keys}>
        {({ items }) => {
          const key = items.find(({ value, revokedAt }) => value !== null && revokedAt === null)?.value
          return <ConnectSnippets url={window.location.origin} clientKey={key ?? 'your client key'} />
        }}
      </Async>
    </Panel>
  )
}
