import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Problem } from '../../api/problem.ts'
import { completeSetup } from '../../api/setup.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { CodeField } from './code-field.tsx'
import { OwnerFields } from './owner-fields.tsx'
import { draftOf, type Faults, faultsOf, findFaults, readValues } from './setup-draft.ts'

type OwnerFormProps = { code: string; onCompleted: () => void }

export function OwnerForm({ code, onCompleted }: OwnerFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [sending, setSending] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [problem, setProblem] = useState<Problem>()

  useEffect(() => {
    if (Object.keys(faults).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [faults])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const values = readValues(new FormData(event.currentTarget))
    const found = findFaults(values)
    setFaults(found)
    setProblem(undefined)
    if (Object.keys(found).length > 0) return

    setSending(true)
    const answer = await completeSetup(draftOf(values))
    setSending(false)
    if ('reply' in answer) return onCompleted()
    setProblem(answer.problem)
    setFaults(faultsOf(answer.problem))
  }

  return (
    <Page title="Set up this installation" lead="You become its owner. Nothing leaves it.">
      <form ref={form} className="grid" noValidate onSubmit={(event) => void submit(event)}>
        {problem && (
          <div className="pb-24">
            <Notice title={problem.title} requestId={problem.requestId}>
              {problem.detail}
            </Notice>
          </div>
        )}
        <CodeField code={code} fault={faults.code} refused={problem?.status === 403} />
        <OwnerFields faults={faults} />
        <footer className="flex items-center justify-between gap-16 border-line border-t pt-16">
          <span className="text-12 text-text-3">This works once. More people are invited later.</span>
          <Button type="submit" look="primary" disabled={sending}>
            {sending ? 'Creating the owner…' : 'Create the owner'}
          </Button>
        </footer>
      </form>
    </Page>
  )
}
