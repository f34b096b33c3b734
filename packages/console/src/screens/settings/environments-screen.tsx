import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Environment, environmentsQuery, updateEnvironment } from '../../api/environments.ts'
import { toProblem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { MayNotice } from '../../shell/may-notice.tsx'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { useScope } from '../../shell/scope-context.ts'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { EnvironmentRow, rowGrid } from './environment-row.tsx'
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
      lead="Each environment has its own keys, flag targeting and telemetry. A client key is public: it evaluates flags for one identity at a time. A server key can read every rule: keep it secret."
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
    // Optimistic order; replaced by the server's response.
    onMutate: (order) => queryClient.setQueryData(queryKey, { items: [...order] }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  const problem = ordering.error && toProblem(ordering.error)

  function move(from: number, to: number) {
    if (!ordering.isPending) ordering.mutate(moveInOrder(items, from, to))
  }

  return (
    <>
      <ProblemNotice problem={problem} />
      <Panel flush>
        <div
          aria-hidden="true"
          className={`${rowGrid} border-line border-b px-14 py-8 text-11 text-text-3 max-full:hidden`}
        >
          <span className="full:pl-20">Environment</span>
          <span>Client key</span>
          <span>Server key</span>
          <span>Who can edit</span>
        </div>
        <ul className="divide-y divide-line">
          {items.map((environment, index) => (
            <EnvironmentRow key={environment.id} project={project} environment={environment}>
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
            </EnvironmentRow>
          ))}
        </ul>
      </Panel>
    </>
  )
}
