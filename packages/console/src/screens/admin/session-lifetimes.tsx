import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Installation, installationQuery, updateInstallation } from '../../api/installation.ts'
import { toProblem } from '../../api/problem.ts'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Panel } from '../../ui/panel.tsx'
import { lifetimeChoices } from './lifetime-choices.ts'

/** How long members stay signed in. */
export function SessionLifetimesPanel({ installation }: { installation: Installation }) {
  const { sessionIdleMinutes, sessionMaximumMinutes } = installation
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: updateInstallation,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: installationQuery.queryKey })
      showToast({ text: 'Saved.' })
    },
  })
  return (
    <Panel title="Sessions of members">
      <div className="grid max-w-form gap-12">
        <ProblemNotice problem={saving.error && toProblem(saving.error)} />
        <Select
          label="Sign out after inactivity"
          options={lifetimeChoices('idle', sessionIdleMinutes)}
          value={String(sessionIdleMinutes)}
          onValue={(value) => saving.mutate({ sessionIdleMinutes: Number(value) })}
          disabled={saving.isPending}
        />
        <Select
          label="Sign out at the latest after"
          hint="A shorter time also ends running sessions."
          options={lifetimeChoices('maximum', sessionMaximumMinutes)}
          value={String(sessionMaximumMinutes)}
          onValue={(value) => saving.mutate({ sessionMaximumMinutes: Number(value) })}
          disabled={saving.isPending}
        />
      </div>
    </Panel>
  )
}
