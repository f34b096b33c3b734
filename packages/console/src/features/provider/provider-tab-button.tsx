import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toProblem } from '../../api/problem.ts'
import { listenToProvider, openProviderTab } from '../../api/provider-tab.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'

interface ProviderTabButtonProps {
  text: string
  start: () => Promise<{ url: string }>
  onDone: () => void
}

/** Signs in at a provider in another tab; this one keeps its input. */
export function ProviderTabButton({ text, start, onDone }: ProviderTabButtonProps) {
  const opening = useMutation({ mutationFn: () => openProviderTab(start), meta: { asksForPassword: true } })
  useEffect(() => listenToProvider(onDone), [onDone])
  return (
    <div className="grid gap-12">
      <ProblemNotice problem={opening.error && toProblem(opening.error)} />
      <Button look="primary" icon="out" busy={opening.isPending} onClick={() => opening.mutate()}>
        {text}
      </Button>
      {opening.isSuccess && (
        <p role="status" className="text-text-2">
          Continue in the other tab, then return here.
        </p>
      )}
    </div>
  )
}
