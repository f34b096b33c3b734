import { useMutation, useQuery } from '@tanstack/react-query'
import { answerConfirmation } from '../api/confirmation.ts'
import { toProblem } from '../api/problem.ts'
import { confirmSession, type Proof, startConfirmation } from '../api/second-factor.ts'
import { startProviderConfirmation } from '../api/sign-in-providers.ts'
import { ProviderTabButton } from '../features/provider/provider-tab-button.tsx'
import { ProofForm } from '../features/second-factor/proof-form.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Async } from '../ui/states.tsx'
import { useAccount } from './account.ts'

/** Over the screen whose change needs it: afterwards the change is repeated. */
export function ConfirmSession() {
  const { provider } = useAccount()
  return provider?.reauthenticates ? <ConfirmAtProvider /> : <ConfirmBySecondFactor />
}

const confirmed = () => answerConfirmation(true)

function ConfirmAtProvider() {
  return (
    <Dialog
      title="Confirm that it is you"
      description="This change needs you to sign in again. You are not asked again for 15 minutes."
      size="small"
      onClose={() => answerConfirmation(false)}
    >
      <ProviderTabButton
        text="Continue at your provider"
        start={startProviderConfirmation}
        onDone={confirmed}
      />
    </Dialog>
  )
}

function ConfirmBySecondFactor() {
  const challenge = useQuery({
    queryKey: ['account', 'confirmation'],
    queryFn: startConfirmation,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const confirming = useMutation({
    mutationFn: (proof: Proof) => confirmSession({ token: challenge.data?.token ?? '', proof }),
    onSuccess: confirmed,
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
