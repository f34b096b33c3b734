import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { secondFactorQuery } from '../../../api/second-factor.ts'
import { useAccount } from '../../../shell/account.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Async } from '../../../ui/states.tsx'
import { AppPanel } from './app-panel.tsx'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { RecoveryPanel } from './recovery-panel.tsx'

/** What proves the account beside its password. */
export function SecondFactorScreen() {
  const secondFactor = useQuery(secondFactorQuery)
  const { provider } = useAccount()
  const [codes, setCodes] = useState<readonly string[]>()
  const onCodes = (made: readonly string[] | null) => made && setCodes(made)
  return (
    <SectionScreen
      of="account"
      title="Second factor"
      lead="With a second factor, a stolen password is not enough to sign in, and dangerous changes ask for it again."
    >
      <Async of={secondFactor}>
        {(found) => {
          const isMissing = found.totpSince === null && found.passkeys.length === 0
          return (
            <>
              {provider && (
                <Notice
                  tone="info"
                  title="Your provider asks for a second factor, not Telltale"
                  detail="What you add here protects sign-ins with a password, and needs that password."
                />
              )}
              {found.required && isMissing && (
                <Notice
                  tone="warn"
                  title="This installation requires a second factor"
                  detail="Add an authenticator app or a passkey to go on."
                />
              )}
              <AppPanel since={found.totpSince} onCodes={onCodes} />
              <PasskeysPanel secondFactor={found} onCodes={onCodes} />
              {!isMissing && <RecoveryPanel left={found.recoveryCodesLeft} onCodes={onCodes} />}
            </>
          )
        }}
      </Async>
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </SectionScreen>
  )
}
