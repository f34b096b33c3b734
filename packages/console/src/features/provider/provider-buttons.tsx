import { useMutation } from '@tanstack/react-query'
import { toProblem } from '../../api/problem.ts'
import { startProviderSignIn } from '../../api/sign-in-providers.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'

interface ProviderButtonsProps {
  providers: readonly { key: string; buttonText: string }[]
  /** The page to return to. */
  to: string | undefined
  look: 'primary' | 'normal'
}

/** One button for each sign-in provider. */
export function ProviderButtons({ providers, to, look }: ProviderButtonsProps) {
  const starting = useMutation({
    mutationFn: startProviderSignIn,
    meta: { asksForPassword: true },
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <div className="grid gap-8">
      <ProblemNotice problem={starting.error && toProblem(starting.error)} />
      {providers.map(({ key, buttonText }) => (
        <Button
          key={key}
          icon="key"
          look={look}
          busy={(starting.isPending || starting.isSuccess) && starting.variables.provider === key}
          onClick={() => starting.mutate({ provider: key, returnTo: to })}
        >
          {buttonText}
        </Button>
      ))}
    </div>
  )
}
