import type { FormEvent } from 'react'
import type { Problem } from '../../api/problem.ts'
import type { Challenge, Proof } from '../../api/second-factor.ts'
import { Button } from '../../ui/button.tsx'
import { ProofFields, proofOf } from './proof-fields.tsx'

interface ProofFormProps {
  challenge: Challenge
  busy: boolean
  problem: Problem | null
  verb: string
  onProof: (proof: Proof) => void
  onCancel: () => void
}

/** A form that proves a challenge by a passkey, a code of an app or a recovery code. */
export function ProofForm({ challenge, busy, problem, verb, onProof, onCancel }: ProofFormProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const proof = proofOf(event.currentTarget)
    if (proof !== undefined && !busy) onProof(proof)
  }
  return (
    <form className="grid gap-16" onSubmit={submit}>
      <ProofFields challenge={challenge} busy={busy} problem={problem} onProof={onProof} />
      <div className="flex flex-wrap justify-end gap-8">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={busy}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
