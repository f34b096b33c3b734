import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { approveDevice, deviceLoginQuery, refuseDevice } from '../../api/device-logins.ts'
import { toProblem } from '../../api/problem.ts'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { TokenRightsFields, toTokenBody, usualRights } from './token-rights.tsx'

/** Where a person approves the sign-in of a device, such as `telltale login`. */
export function DeviceScreen() {
  const { code } = useSearch({ from: '/account/device' })
  return (
    <SectionScreen
      of="account"
      title="Sign in a device"
      lead="A device that runs telltale login gets an API token of yours, which you can revoke at any time."
    >
      {code === undefined ? <CodeForm /> : <WaitingDevice key={code} code={code} />}
    </SectionScreen>
  )
}

const letters = 4

/** `bcdfghjk` is `BCDF-GHJK`. */
function toCode(text: string): string {
  const plain = text.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return `${plain.slice(0, letters)}-${plain.slice(letters)}`
}

function CodeForm() {
  const navigate = useNavigate({ from: '/account/device' })
  const [text, setText] = useState('')
  const isWhole = toCode(text).length === 2 * letters + 1
  return (
    <form
      className="grid max-w-read gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) void navigate({ search: { code: toCode(text) } })
      }}
    >
      <Field
        label="Code"
        hint="Eight letters, as your terminal shows them."
        code
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <div>
        <Button type="submit" look="primary" disabled={!isWhole}>
          Continue
        </Button>
      </div>
    </form>
  )
}

function WaitingDevice({ code }: { code: string }) {
  const [rights, setRights] = useState(usualRights)
  const found = useQuery({
    ...deviceLoginQuery(code),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const approval = useMutation({ mutationFn: approveDevice })
  const refusal = useMutation({ mutationFn: refuseDevice })
  const failure = approval.error ?? refusal.error
  if (approval.isSuccess)
    return (
      <Notice
        tone="info"
        title="Device signed in"
        detail="You can close this page and go back to your terminal."
      />
    )
  if (refusal.isSuccess) return <Notice tone="plain" title="Device refused" detail="It gets no token." />

  if (found.error !== null && toProblem(found.error).status === 404) return <UnknownCode code={code} />

  return (
    <Async of={found}>
      {({ userCode, name, createdAt }) => (
        <Panel
          title={name}
          footer="Approve it only if you started it just now, and your terminal shows the same code."
        >
          <div className="grid max-w-read gap-16">
            <Facts
              facts={[
                ['Code', userCode],
                ['Asked', <TimeAgo key="asked" at={createdAt} />],
              ]}
            />
            <ProblemNotice problem={failure && toProblem(failure)} />
            <TokenRightsFields rights={rights} onRights={setRights} />
            <div className="flex flex-wrap gap-8">
              <Button
                look="primary"
                busy={approval.isPending}
                onClick={() => approval.mutate({ code, body: toTokenBody(rights, Date.now()) })}
              >
                Approve
              </Button>
              <Button busy={refusal.isPending} onClick={() => refusal.mutate(code)}>
                Refuse
              </Button>
            </div>
          </div>
        </Panel>
      )}
    </Async>
  )
}

function UnknownCode({ code }: { code: string }) {
  return (
    <>
      <Notice
        tone="warn"
        title={`No device waits with the code ${code}`}
        detail="A code works once, for ten minutes. Check its letters, or start again on the device."
      />
      <CodeForm />
    </>
  )
}
