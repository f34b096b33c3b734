import { useCallback, useEffect, useState } from 'react'
import type { Answer } from '../../api/problem.ts'
import { getSetup } from '../../api/setup.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading } from './loading.tsx'
import { NextSteps } from './next-steps.tsx'
import { OwnerForm } from './owner-form.tsx'

export function SetupScreen({ code }: { code: string }) {
  const [answer, setAnswer] = useState<Answer<{ done: boolean }>>()
  const [completed, setCompleted] = useState(false)

  const load = useCallback(() => {
    setAnswer(undefined)
    void getSetup().then(setAnswer)
  }, [])
  useEffect(load, [load])

  if (completed) {
    return (
      <Page title="The installation is yours" lead="You are its owner and signed in. Nothing leaves it.">
        <NextSteps />
      </Page>
    )
  }
  if (!answer) return <Loading />
  if ('problem' in answer) {
    return (
      <Page
        title="The installation does not answer"
        lead="As soon as it does, this page shows what to do next."
      >
        <Notice title={answer.problem.title} requestId={answer.problem.requestId}>
          {answer.problem.detail}
        </Notice>
        <div>
          <Button onClick={load}>Ask again</Button>
        </div>
      </Page>
    )
  }
  if (answer.reply.done) {
    return (
      <Page
        title="Telltale is running"
        lead="The server is ready. The console arrives with the next release."
      >
        <NextSteps />
      </Page>
    )
  }
  return <OwnerForm code={code} onCompleted={() => setCompleted(true)} />
}
