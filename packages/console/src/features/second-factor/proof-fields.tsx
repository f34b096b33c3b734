import { useState } from 'react'
import { signWithPasskey } from '../../api/passkey.ts'
import type { Problem } from '../../api/problem.ts'
import type { Challenge, Proof, ProofMethod } from '../../api/second-factor.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'

const otherWords: Record<ProofMethod, string> = {
  passkey: 'Use a passkey',
  totp: 'Use an authenticator app',
  'recovery-code': 'Use a recovery code',
}

interface ProofFieldsProps {
  challenge: Challenge
  busy: boolean
  problem: Problem | null
  onProof: (proof: Proof) => void
}

/** Asks for one of the second factors of a challenge. The fields belong to the form around them. */
export function ProofFields({ challenge, busy, problem, onProof }: ProofFieldsProps) {
  const { methods, passkey } = challenge
  const [method, setMethod] = useState<ProofMethod>(methods[0] ?? 'recovery-code')
  const [isCancelled, setCancelled] = useState(false)
  const isWrong = problem?.is('unauthenticated') || problem?.is('invalid-request')

  async function askForPasskey() {
    if (passkey === null) return
    setCancelled(false)
    const proof = await signWithPasskey(passkey)
    if (proof === undefined) setCancelled(true)
    else onProof(proof)
  }

  return (
    <div className="grid gap-16">
      {problem && !isWrong && <ProblemNotice problem={problem} />}
      {method === 'passkey' && (
        <div className="grid gap-8">
          <Button icon="key" look="primary" busy={busy} onClick={() => void askForPasskey()} autoFocus>
            Use a passkey
          </Button>
          {(isCancelled || isWrong) && (
            <p role="alert" className="text-12 text-bad">
              {isWrong
                ? 'This passkey does not belong to the account.'
                : 'No passkey was used. Try again, or use another way.'}
            </p>
          )}
        </div>
      )}
      {method === 'totp' && (
        <Field
          key="totp"
          label="Code"
          name="totp"
          hint="The six digits that your authenticator app shows."
          fault={isWrong ? 'The code is wrong or was already used. Wait for the next one.' : undefined}
          code
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]{6}"
          maxLength={6}
          required
          autoFocus
        />
      )}
      {method === 'recovery-code' && (
        <Field
          key="recovery"
          label="Recovery code"
          name="recoveryCode"
          hint="Each code works once."
          fault={isWrong ? 'The code is wrong or was already used.' : undefined}
          code
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          required
          autoFocus
        />
      )}
      <div className="flex flex-wrap gap-x-16 gap-y-4">
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} look="quiet" onClick={() => setMethod(other)}>
              {otherWords[other]}
            </Button>
          ))}
      </div>
    </div>
  )
}

/** What was typed into the fields; undefined while a passkey is asked for. */
export function proofOf(form: HTMLFormElement): Proof | undefined {
  const entries = new FormData(form)
  const totp = entries.get('totp')
  const recoveryCode = entries.get('recoveryCode')
  if (typeof totp === 'string') return { totp: totp.trim() }
  return typeof recoveryCode === 'string' ? { recoveryCode: recoveryCode.trim() } : undefined
}
