import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DescribedFlag, flagsKey, restoreFlag } from '../../api/flags.ts'
import { toProblem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'

export function ArchivedNotice({ flag }: { flag: DescribedFlag }) {
  const { project } = useScope()
  const mayChange = useMay('flags.change')
  const queryClient = useQueryClient()
  const restoring = useMutation({
    mutationFn: restoreFlag,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: flagsKey(project) })
      showToast({ text: `${flag.key} was restored.` })
    },
  })
  const problem = restoring.error && toProblem(restoring.error)

  return (
    <>
      <Notice
        tone="plain"
        title="This flag is archived"
        detail={
          <>
            Since <TimeAgo at={flag.archivedAt} />. It is no longer served. Applications that evaluate it get
            the default in their code.
          </>
        }
        action={
          mayChange &&
          !flag.managed && (
            <Button
              icon="undo"
              busy={restoring.isPending}
              onClick={() => restoring.mutate({ project, flag: flag.key })}
            >
              Restore
            </Button>
          )
        }
      />
      <ProblemNotice problem={problem} />
    </>
  )
}
