import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Environment, environmentsQuery, updateEnvironment } from '../../api/environments.ts'
import { toProblem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { MayNotice } from '../../shell/may-notice.tsx'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { useScope } from '../../shell/scope-context.ts'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { EnvironmentMark } from '../../ui/environment-mark.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { Badge } from '../../ui/tag.tsx'
import { NewEnvironment } from './new-environment.tsx'
import { moveInOrder } from './order.ts'

export function EnvironmentsScreen() {
  const { project } = useScope()
  const environments = useQuery(environmentsQuery(project))
  const mayManage = useMay('environments.manage')
  const [isCreating, setCreating] = useState(false)
  const create = () => setCreating(true)
  useShortcut(mayManage ? { keys: 'c', label: 'New environment', run: create } : undefined)
  usePaletteEntries(
    mayManage
      ? [{ id: 'new-environment', group: 'Do', icon: 'plus', label: 'New environment', run: create }]
      : [],
  )

  return (
    <SectionScreen
      of="settings"
      title="Environments and keys"
      lead="Each environment has its own keys, its own state of every flag and its own telemetry. A client key is public: it reads flags for one identity at a time. A server key reads every rule: keep it secret."
      actions={
        <Button look="primary" icon="plus" disabled={!mayManage} onClick={create}>
          New environment
        </Button>
      }
    >
      <MayNotice permission="environments.manage" />
      <Async of={environments}>
        {({ items }) => <EnvironmentList project={project} items={items} mayManage={mayManage} />}
      </Async>
      {isCreating && <NewEnvironment project={project} onClose={() => setCreating(false)} />}
    </SectionScreen>
  )
}

type ListProps = { project: string; items: readonly Environment[]; mayManage: boolean }

function EnvironmentList({ project, items, mayManage }: ListProps) {
  const queryClient = useQueryClient()
  const { queryKey } = environmentsQuery(project)
  const ordering = useMutation({
    mutationFn: async (order: readonly Environment[]) => {
      for (const [position, { key, position: before }] of order.entries()) {
        if (position !== before) await updateEnvironment({ project, env: key, change: { position } })
      }
    },
    // The order shows at once; what the server made of it follows.
    onMutate: (order) => queryClient.setQueryData(queryKey, { items: [...order] }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  const problem = ordering.error && toProblem(ordering.error)

  function move(from: number, to: number) {
    if (!ordering.isPending) ordering.mutate(moveInOrder(items, from, to))
  }

  return (
    <>
      {problem && <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />}
      <Panel flush>
        <ul className="divide-y divide-line">
          {items.map((environment, index) => (
            <li
              key={environment.id}
              className="relative flex min-h-row-2 items-center gap-12 px-14 py-6 hover:bg-hover"
            >
              <EnvironmentMark environment={environment} />
              <span className="grid min-w-0 flex-1">
                <Link
                  to="/p/$project/settings/environments/$environment"
                  params={{ project, environment: environment.key }}
                  className="truncate font-medium after:absolute after:inset-0"
                >
                  {environment.name}
                </Link>
                <code className="truncate text-text-3">{environment.key}</code>
              </span>
              <span className="flex flex-wrap justify-end gap-4 max-wide:hidden">
                {environment.managed && <Badge>Managed</Badge>}
                {environment.protected && <Badge>Protected</Badge>}
                {environment.approvalRequired && <Badge>Needs approval</Badge>}
              </span>
              <span className="w-[18ch] truncate text-text-2 max-full:hidden">{environment.timeZone}</span>
              <span className="w-[14ch] text-text-2 max-full:hidden">{originsText(environment)}</span>
              <span className="relative flex gap-2">
                <IconButton
                  icon="up"
                  label={`Move ${environment.name} up`}
                  disabled={!mayManage || index === 0}
                  onClick={() => move(index, index - 1)}
                />
                <IconButton
                  icon="down"
                  label={`Move ${environment.name} down`}
                  disabled={!mayManage || index === items.length - 1}
                  onClick={() => move(index, index + 1)}
                />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </>
  )
}

function originsText({ allowedOrigins }: Environment): string {
  if (allowedOrigins.length === 0) return 'Any origin'
  return allowedOrigins.length === 1 ? '1 origin' : `${allowedOrigins.length} origins`
}
