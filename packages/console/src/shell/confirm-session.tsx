import { useMutation, useQuery } from '@tanstack/react-query'
import { answerConfirmation } from '../api/confirmation.ts'
import { toProblem } from '../api/problem.ts'
import { confirmSession, type Proof, startConfirmation } from '../api/second-factor.ts'
import { ProofForm } from '../features/second-factor/proof-form.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Async } from '../ui/states.tsx'

/** Over the screen whose change needs it: afterwards the change is repeated. */
export function ConfirmSession() {
  const challenge = useQuery({
    queryKey: ['account', 'confirmation'],
    queryFn: startConfirmation,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const confirming = useMutation({
    mutationFn: (proof: Proof) => confirmSession({ token: challenge.data?.token ?? '', proof }),
    onSuccess: () => answerConfirmation(true),
  })
  const cancel = () => answerConfirmation(false)
  return (
    <Dialog
      title="Confirm that it is you"
      description="This change needs your second factor. You are not asked again for 15 minutes."
      size="small"
      onClose={cancel}
    >
      <Async of={challenge}>
        {(found) => (
          <ProofForm
            challenge={found}
            busy={confirming.isPending}
            problem={confirming.error && toProblem(confirming.error)}
            verb="Confirm"
            onProof={(proof) => confirming.mutate(proof)}
            onCancel={cancel}
          />
        )}
      </Async>
    </Dialog>
  )
}
