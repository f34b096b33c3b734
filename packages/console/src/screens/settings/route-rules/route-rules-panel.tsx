import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Environment } from '../../../api/environments.ts'
import { toProblem } from '../../../api/problem.ts'
import { deleteRouteRule, type RouteRule, routeRulesQuery } from '../../../api/route-rules.ts'
import { useMay } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { ListSection } from '../../../ui/table/list-section.tsx'
import { patternOf, routeRuleColumns } from './route-rule-columns.tsx'
import { RouteRuleDialog } from './route-rule-dialog.tsx'

type RouteRulesPanelProps = { project: string; environment: Environment }
type Opened = { kind: 'new' } | { kind: 'edit' | 'delete'; rule: RouteRule }

/** Which parts of paths are ids. Most rules are learned; members can correct them here. */
export function RouteRulesPanel({ project, environment }: RouteRulesPanelProps) {
  const place = { project, env: environment.key }
  const rules = useQuery(routeRulesQuery(place))
  const [opened, setOpened] = useState<Opened>()
  const mayManage = useMay('environments.manage', environment.key)
  const close = () => setOpened(undefined)

  return (
    <ListSection
      title="URL grouping"
      note="IDs in URLs are grouped, so each page or request is one row. Positions with many different values are detected automatically."
      actions={
        <Button icon="plus" disabled={!mayManage} onClick={() => setOpened({ kind: 'new' })}>
          Add rule
        </Button>
      }
    >
      <Async of={rules}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No rules yet">
              Numbers, UUIDs and other common IDs are grouped without a rule.
            </Empty>
          ) : (
            <DataTable
              label="Route rules"
              rows={items}
              rowId={({ under }) => `rule ${under}`}
              columns={routeRuleColumns({
                mayManage,
                onEdit: (rule) => setOpened({ kind: 'edit', rule }),
                onDelete: (rule) => setOpened({ kind: 'delete', rule }),
              })}
              sorted
            />
          )
        }
      </Async>
      {(opened?.kind === 'new' || opened?.kind === 'edit') && (
        <RouteRuleDialog
          place={place}
          rule={opened.kind === 'edit' ? opened.rule : undefined}
          onClose={close}
        />
      )}
      {opened?.kind === 'delete' && <DeleteRule place={place} rule={opened.rule} onClose={close} />}
    </ListSection>
  )
}

type DeleteRuleProps = { place: { project: string; env: string }; rule: RouteRule; onClose: () => void }

function DeleteRule({ place, rule, onClose }: DeleteRuleProps) {
  const queryClient = useQueryClient()
  const deletion = useMutation({
    mutationFn: deleteRouteRule,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: routeRulesQuery(place).queryKey })
      onClose()
      showToast({ text: 'Rule deleted.' })
    },
  })

  return (
    <ConfirmDialog
      title={`Delete the rule for ${patternOf(rule)}`}
      consequence="Events stored before the rule get their own rows back. The rule can be learned again: to prevent that, edit it to keep values apart."
      verb="Delete rule"
      busy={deletion.isPending}
      problem={deletion.error && toProblem(deletion.error)}
      onConfirm={() => deletion.mutate({ ...place, under: rule.under })}
      onClose={onClose}
    />
  )
}
