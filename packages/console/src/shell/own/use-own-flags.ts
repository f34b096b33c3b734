import { useRouter } from '@tanstack/react-router'
import type { Flags } from '@telltale/browser/flags'
import { useEffect, useState } from 'react'
import { useAccount } from '../account.ts'
import { whenIdle } from '../when-idle.ts'

/** The console's own flags for the signed-in account. With a telemetry store, the console is monitored too. */
export function useOwnFlags(): Flags | undefined {
  const { ownKey: key, ownMonitoring: isMonitored, user } = useAccount()
  const { id, role } = user
  const router = useRouter()
  const [flags, setFlags] = useState<Flags>()
  useEffect(() => {
    if (key === null) return undefined
    const screenOf = (path: string) => {
      const [, , found] = router.getMatchedRoutes(path)
      return found?.fullPath.replace(/\$([a-zA-Z]+)/g, ':$1').replace(/(?<=.)\/$/, '')
    }
    let isCancelled = false
    const cancelIdle = whenIdle(() => {
      // Failure to load is ignored: the console works without it.
      import('./start-own-client.ts').then(
        ({ startOwnClient }) => {
          if (!isCancelled) setFlags(startOwnClient({ key, user: { id, role }, isMonitored, screenOf }))
        },
        () => undefined,
      )
    })
    return () => {
      isCancelled = true
      cancelIdle()
    }
  }, [key, isMonitored, id, role, router])
  return key === null ? undefined : flags
}
