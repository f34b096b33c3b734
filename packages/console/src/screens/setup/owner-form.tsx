import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type Problem, toProblem } from '../../api/problem.ts'
import { noteSignedIn } from '../../api/session.ts'
import { completeSetup, setupQuery } from '../../api/setup.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { NumberedSection } from '../../ui/numbered-section.tsx'
import { Page } from '../../ui/page.tsx'
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
        <ProblemNotice problem={problem} />
      )}
    </div>
  )
}

/** Requested unless a setting fixes it: without it, the server cannot send links by mail. */
function AddressFields({ fault }: { fault: string | undefined }) {
  return (
    <NumberedSection number={3} title="Public address" note="Optional">
      <Field
        label="Address"
        name="publicUrl"
        type="url"
        defaultValue={window.location.origin}
        hint="Used for links in e-mails. Without it, invitations and password resets are not e-mailed."
        fault={fault}
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.publicUrlLength}
      />
    </NumberedSection>
  )
}

type CodeFieldProps = { code: string; fault: string | undefined; refused: boolean }

/** Hidden while the code from the URL is valid; shown without one or after the server refused it, and then stays. */
function CodeField({ code, fault, refused }: CodeFieldProps) {
  const needed = !code || refused || fault !== undefined
  const [shown, setShown] = useState(needed)
  if (needed && !shown) setShown(true)
  if (!shown) return <input type="hidden" name="code" value={code} />

  return (
    <div className="pb-24">
      <Field
        label="Setup code"
        name="code"
        defaultValue={code}
        hint="At the end of the URL the server prints when it starts."
        fault={fault}
        autoComplete="off"
        spellCheck={false}
        required
      />
    </div>
  )
}
