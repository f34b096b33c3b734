import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountQuery, updateAccount } from '../../api/accounts.ts'
import { toProblem } from '../../api/problem.ts'
import { useAccount } from '../../shell/account.ts'
import { Checkbox } from '../../ui/form/choice.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'

/** Saved at once. */
export function NotificationsPanel() {
  const { mentionMail } = useAccount()
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: updateAccount,
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true }),
  })
  const wanted = saving.isPending ? saving.variables.mentionMail : undefined
  return (
    <Panel title="Notifications">
      <div className="grid gap-8">
        <ProblemNotice problem={saving.error && toProblem(saving.error)} />
        <Checkbox
          label="E-mail me when a comment mentions me"
          hint="Mentions are in the inbox in any case."
          checked={wanted ?? mentionMail}
          onChecked={(next) => saving.mutate({ mentionMail: next })}
        />
      </div>
    </Panel>
  )
}
