import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteDeployHook, deployHookQuery, putDeployHook } from '../../api/deploy-hooks.ts'
import type { Environment } from '../../api/environments.ts'
import { toProblem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { ShownOnce } from '../../ui/overlay/shown-once.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Panel } from '../../ui/panel.tsx'
import { NewSecret } from '../../ui/secret.tsx'
import { Async } from '../../ui/states.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'

type DeployHookPanelProps = { project: string; environment: Environment }

/** The address that GitHub and other programs report deploys to. */
export function DeployHookPanel({ project, environment }: DeployHookPanelProps) {
  const place = { project, env: environment.key }
  const mayManage = useMay('webhooks.manage', environment.key)
  const hook = useQuery({ ...deployHookQuery(place), enabled: mayManage })
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries({ queryKey: deployHookQuery(place).queryKey })
  const [asks, setAsks] = useState<'rotate' | 'delete'>()
  const creation = useMutation({
    mutationFn: putDeployHook,
    onSuccess: async () => {
      setAsks(undefined)
      await reload()
    },
  })
  const deletion = useMutation({
    mutationFn: deleteDeployHook,
    onSuccess: async () => {
      setAsks(undefined)
      await reload()
      showToast({ text: 'Deploy webhook deleted.' })
    },
  })
  const text =
    'GitHub (deployments and releases), or any program that signs its report, can post deploys here. They are marks on charts.'

  return (
    <Panel title="Deploy webhook">
      <div className="grid gap-12">
        <p className="max-w-read text-pretty text-text-2">{text}</p>
        {!mayManage && <p className="text-text-2">Read-only: admins see and change the webhook.</p>}
        {asks === undefined && <ProblemNotice problem={creation.error && toProblem(creation.error)} />}
        {mayManage && (
          <Async of={hook} isEmpty={() => false}>
            {(found) =>
              found ? (
                <div className="flex flex-wrap items-center justify-between gap-12">
                  <span className="grid min-w-0 gap-2">
                    <CopyText text={found.url} label="Copy the address" />
                    <span className="text-12 text-text-3 [overflow-wrap:anywhere]">
                      {found.lastDelivery ? (
                        <>
                          {found.lastDelivery.result}, <TimeAgo at={found.lastDelivery.at} />
                        </>
                      ) : (
                        'No deliveries yet'
                      )}
                    </span>
                  </span>
                  <span className="flex flex-wrap gap-8">
                    <Button onClick={() => setAsks('rotate')}>New secret…</Button>
                    <Button look="danger" onClick={() => setAsks('delete')}>
                      Delete webhook…
                    </Button>
                  </span>
                </div>
              ) : (
                <div>
                  <Button icon="plus" busy={creation.isPending} onClick={() => creation.mutate(place)}>
                    Create webhook
                  </Button>
                </div>
              )
            }
          </Async>
        )}
      </div>
      {asks === 'rotate' && (
        <ConfirmDialog
          title="New secret for the deploy webhook"
          consequence="Deliveries signed with the old secret are refused from then on. The address stays."
          verb="Create secret"
          danger={false}
          busy={creation.isPending}
          problem={creation.error && toProblem(creation.error)}
          onConfirm={() => creation.mutate(place)}
          onClose={() => setAsks(undefined)}
        />
      )}
      {asks === 'delete' && (
        <ConfirmDialog
          title="Delete the deploy webhook"
          consequence="Its address stops working. Deploys that it recorded stay."
          verb="Delete webhook"
          busy={deletion.isPending}
          problem={deletion.error && toProblem(deletion.error)}
          onConfirm={() => deletion.mutate(place)}
          onClose={() => setAsks(undefined)}
        />
      )}
      {creation.data && (
        <ShownOnce title="Secret of the deploy webhook" onClose={creation.reset}>
          <NewSecret name="secret" value={creation.data.secret} />
          <p className="text-pretty text-text-2">
            In GitHub: add a webhook with the content type <code>application/json</code>, this secret, and the
            events Deployment statuses or Releases.
          </p>
        </ShownOnce>
      )}
    </Panel>
  )
}
