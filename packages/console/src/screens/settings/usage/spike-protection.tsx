import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { toProblem } from '../../../api/problem.ts'
import { type Quotas, quotasQuery, setSpikeProtection } from '../../../api/quotas.ts'
import { useMay } from '../../../shell/account.ts'
import { Switch } from '../../../ui/form/choice.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'

interface SpikeProtectionProps {
  project: string
  settings: Quotas['spikeProtection']
}

/** A switch for each environment. */
export function SpikeProtection({ project, settings }: SpikeProtectionProps) {
  const mayManage = useMay('environments.manage')
  const queryClient = useQueryClient()
  const { queryKey } = quotasQuery(project)
  const saving = useMutation({
    mutationFn: setSpikeProtection,
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  })
  return (
    <div className="grid gap-8">
      <span className="font-medium">Spike protection</span>
      <p className="max-w-read text-pretty text-12 text-text-3">
        At {limits.spikeFactor} times the usual events of the hour, only {limits.spikeKept}% of sessions are
        stored until it is over.
      </p>
      <ProblemNotice problem={saving.error && toProblem(saving.error)} />
      <span className="flex flex-wrap gap-x-24 gap-y-8">
        {settings.map(({ env, enabled }) => (
          <Switch
            key={env}
            label={env}
            checked={enabled}
            disabled={!mayManage || saving.isPending}
            onChecked={(checked) => saving.mutate({ project, env, enabled: checked })}
          />
        ))}
      </span>
    </div>
  )
}
