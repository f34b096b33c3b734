import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SecondFactorPolicy } from '@telltale/core/permissions'
import { accountQuery } from '../../api/accounts.ts'
import { type Installation, installationQuery, updateInstallation } from '../../api/installation.ts'
import { toProblem } from '../../api/problem.ts'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Panel } from '../../ui/panel.tsx'

const policies: readonly { value: SecondFactorPolicy; label: string }[] = [
  { value: 'optional', label: 'Optional for all' },
  { value: 'owners', label: 'Owners' },
  { value: 'admins', label: 'Owners, and admins of projects' },
  { value: 'everyone', label: 'Everyone' },
]

/** Who needs a second factor to use the console. */
export function SecondFactorPolicyPanel({ installation }: { installation: Installation }) {
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: updateInstallation,
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: installationQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true }),
      ])
      showToast({ text: 'Saved.' })
    },
  })
  return (
    <Panel title="Second factor">
      <div className="grid max-w-form gap-12">
        <ProblemNotice problem={saving.error && toProblem(saving.error)} />
        <Select
          label="Required of"
          hint="Accounts without one can only add one. API tokens are not affected."
          options={policies}
          value={installation.secondFactor}
          onValue={(secondFactor) => saving.mutate({ secondFactor })}
          disabled={saving.isPending}
        />
      </div>
    </Panel>
  )
}
