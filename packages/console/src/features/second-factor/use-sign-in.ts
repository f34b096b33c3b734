import { useMutation } from '@tanstack/react-query'
import { signIn } from '../../api/accounts.ts'
import { toProblem } from '../../api/problem.ts'
import { finishSignIn, type Proof } from '../../api/second-factor.ts'

/** The password first, then a second factor if the account has one: `proof` is for its form. */
export function useSignIn(onSignedIn: () => unknown) {
  const attempt = useMutation({
    mutationFn: signIn,
    meta: { asksForPassword: true },
    onSuccess: ({ challenge }) => (challenge === null ? onSignedIn() : undefined),
  })
  const proving = useMutation({
    mutationFn: finishSignIn,
    meta: { asksForPassword: true },
    onSuccess: onSignedIn,
    // The password is asked for again once a challenge is over.
    onError: (error) => {
      if (toProblem(error).is('link-expired')) attempt.reset()
    },
  })
  const challenge = attempt.data?.challenge
  return {
    attempt,
    /** Of a challenge that is over. */
    failure: challenge ? null : proving.error,
    proof: challenge && {
      challenge,
      busy: proving.isPending,
      problem: proving.error && toProblem(proving.error),
      verb: 'Sign in',
      onProof: (proof: Proof) => proving.mutate({ token: challenge.token, proof }),
      onCancel: () => {
        proving.reset()
        attempt.reset()
      },
    },
  }
}
