import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type Problem, toProblem } from '../../api/problem.ts'
import { noteSignedIn } from '../../api/session.ts'
import { completeSetup, setupQuery } from '../../api/setup.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { AddressFields } from './address-fields.tsx'
import { CodeField } from './code-field.tsx'
import { OwnerFields } from './owner-fields.tsx'
import { draftOf, type Faults, faultsOf, findFaults, readValues } from './setup-draft.ts'

type OwnerFormProps = { code: string; asksForPublicUrl: boolean }

export function OwnerForm({ code, asksForPublicUrl }: OwnerFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<Faults>({})
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const completion = useMutation({
    mutationFn: completeSetup,
    meta: { asksForPassword: true },
    onMutate: () => setFaults({}),
    onError: (error) => setFaults(faultsOf(toProblem(error))),
    onSuccess: async (_reply, { project }) => {
      noteSignedIn()
      if (project)
        await navigate({ to: '/p/$project', params: { project: project.key }, search: {}, replace: true })
      else await navigate({ to: '/', replace: true })
      queryClient.setQueryData(setupQuery.queryKey, { done: true, asksForPublicUrl: false })
    },
  })
  const problem = completion.error && toProblem(completion.error)

  useEffect(() => {
    if (Object.keys(faults).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [faults])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const values = readValues(new FormData(event.currentTarget))
    const found = findFaults(values)
    completion.reset()
    setFaults(found)
    if (Object.keys(found).length === 0) completion.mutate(draftOf(values))
  }

  return (
    <Page title="Set up Telltale" lead="You'll be the owner. Data stays on your server.">
      <form ref={form} className="grid" noValidate onSubmit={submit}>
        {problem && <Trouble problem={problem} />}
        <CodeField code={code} fault={faults.code} refused={problem?.status === 403} />
        <OwnerFields faults={faults} />
        {asksForPublicUrl && <AddressFields fault={faults.publicUrl} />}
        <footer className="flex flex-wrap items-center justify-between gap-16 border-line border-t pt-16">
          <span className="text-12 text-text-3">You can invite others later.</span>
          <Button type="submit" look="primary" busy={completion.isPending}>
            {completion.isPending ? 'Creating owner…' : 'Create owner'}
          </Button>
        </footer>
      </form>
    </Page>
  )
}

function Trouble({ problem }: { problem: Problem }) {
  return (
    <div className="pb-24">
      {problem.status === 403 ? (
        <Notice title="Wrong setup code" detail="The server prints the code with its URL when it starts." />
      ) : (
        <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />
      )}
    </div>
  )
}
